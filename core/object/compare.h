/* Context: O.  Comparing numbers for qsort(3), and finding one after it. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int
compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/*
 * Of an array whose elements, of `each` bytes, ascend by the uint64_t that
 * stands `at` bytes in them: how many are not above the key.
 */
static inline size_t
compare_upper_bound(const void *all, size_t count, size_t each, size_t at,
    uint64_t key)
{
	size_t low = 0, high = count;
	uint64_t own;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		memcpy(&own, (const char *)all + middle * each + at,
		    sizeof(own));
		if (own <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
