/* Context: O.  Comparing numbers for qsort(3). */
#ifndef ORDER_H
#define ORDER_H

#include <stdint.h>

static inline int
order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

#endif
