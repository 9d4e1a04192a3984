/*
 * Context: O.  Compares numbers for qsort(3), and searches a sorted array.  For
 * the tools; inline.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns -1, 0 or 1 as a is less than, equal to or more than b. */
static inline int
compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/*
 * Returns how many elements of a sorted array are not above the key.  The array
 * has `count` elements of `each` bytes, which ascend by the uint64_t at byte
 * `at` of the element.
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
