/*
 * Context: S.  Where calls that map memory go, as alloc_dispatch.h;
 * doc/internals.md, section 22.
 */
#ifndef MAP_DISPATCH_H
#define MAP_DISPATCH_H

#include <stdbool.h>

/*
 * X(number, name): in the order of map_dispatch_table and map_dispatch_real;
 * stubs know it.
 */
#define MAP_DISPATCH_FUNCTIONS(X) \
	X(0, mmap) \
	X(1, mmap64) \
	X(2, munmap) \
	X(3, mremap) \
	X(4, brk) \
	X(5, sbrk)

enum {
#define MAP_DISPATCH_NUMBER(number, name) MAP_##name = number,
	MAP_DISPATCH_FUNCTIONS(MAP_DISPATCH_NUMBER)
#undef MAP_DISPATCH_NUMBER
	MAP_DISPATCH_COUNT
};

/* Of the names.  NULL: not looked for yet. */
extern void *map_dispatch_table[MAP_DISPATCH_COUNT]
    __attribute__((visibility("hidden")));

/* What is called in the end: the next functions of these names behind ours. */
extern void *map_dispatch_real[MAP_DISPATCH_COUNT];
extern const char *const map_dispatch_names[MAP_DISPATCH_COUNT];

/* Look for them in the loader's list.  False: it has none. */
bool map_dispatch_find_next(void);

/*
 * All calls go to them from now on, or are counted first where they are to be.
 */
void map_dispatch_update(void);

/* Calls are counted first from now on. */
void map_dispatch_start(void);

#endif
