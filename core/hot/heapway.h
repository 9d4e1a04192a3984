/*
 * Context: S.  Where calls of allocation functions go; doc/internals.md, section
 * 22.
 *
 * Stubs in core/arch have the names of libc's functions.  They go by heap_way:
 * to the real ones, or to what counts.
 */
#ifndef HEAPWAY_H
#define HEAPWAY_H

#include <stdbool.h>

/* X(number, name): in the order of heap_way and heap_real; stubs know it. */
#define HEAP_FUNCTIONS(X) \
	X(0, malloc) \
	X(1, free) \
	X(2, calloc) \
	X(3, realloc) \
	X(4, reallocarray) \
	X(5, posix_memalign) \
	X(6, aligned_alloc) \
	X(7, memalign) \
	X(8, valloc) \
	X(9, pvalloc) \
	X(10, cfree) \
	X(11, free_sized) \
	X(12, free_aligned_sized)

enum {
#define HEAP_NUMBER(number, name) HEAP_##name = number,
	HEAP_FUNCTIONS(HEAP_NUMBER)
#undef HEAP_NUMBER
	HEAP_COUNT
};

/* NULL: not looked for yet. */
extern void *heap_way[HEAP_COUNT] __attribute__((visibility("hidden")));

/* The next functions of these names behind ours. */
extern void *heap_real[HEAP_COUNT] __attribute__((visibility("hidden")));
extern const char *const heap_names[HEAP_COUNT];

/* Look for them in the loader's list.  False: it has none. */
bool heap_look_behind(void);

/* Do callers come to ours?  Not where another malloc stands before it. */
bool heap_is_first(void);

/* All calls go to them from now on, or are counted first where they are to be. */
void heap_lead(void);

/* Calls are counted first from now on.  False: they do not come to us. */
bool heap_begin(void);

#endif
