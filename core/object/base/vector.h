/*
 * Context: O.  Makes room for one more element in an array that doubles.  For
 * the tools; inline.
 */
#ifndef VECTOR_H
#define VECTOR_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Makes room for an element behind the `used` ones.  `array` is the address of
 * the caller's pointer to elements of `each` bytes; *room counts the elements
 * that there is room for.  At the first call the pointer is NULL and *room is
 * 0; the caller frees the array.  Returns 0 or -ENOMEM.
 */
static inline int
vector_grow(void *array, size_t used, size_t *room, size_t each)
{
	void **p = array;
	size_t want;
	void *q;

	if (used < *room)
		return 0;
	want = *room == 0 ? 64 : *room * 2;
	if (want > SIZE_MAX / 2 / each)
		return -ENOMEM;
	q = realloc(*p, want * each);
	if (q == NULL)
		return -ENOMEM;
	*p = q;
	*room = want;
	return 0;
}

#endif
