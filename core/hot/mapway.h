/*
 * Context: S.  Where calls that map memory go, as heapway.h; doc/internals.md,
 * section 22.
 */
#ifndef MAPWAY_H
#define MAPWAY_H

#include <stdbool.h>

/* X(number, name): in the order of map_way and map_real; stubs know it. */
#define MAP_FUNCTIONS(X) \
	X(0, mmap) \
	X(1, mmap64) \
	X(2, munmap) \
	X(3, mremap) \
	X(4, brk) \
	X(5, sbrk)

enum {
#define MAP_NUMBER(number, name) MAP_##name = number,
	MAP_FUNCTIONS(MAP_NUMBER)
#undef MAP_NUMBER
	MAP_COUNT
};

/* Of the names.  NULL: not looked for yet. */
extern void *map_way[MAP_COUNT] __attribute__((visibility("hidden")));

/* What is called in the end: the next functions of these names behind ours. */
extern void *map_real[MAP_COUNT];
extern const char *const map_names[MAP_COUNT];

/* Look for them in the loader's list.  False: it has none. */
bool map_look_behind(void);

/*
 * All calls go to them from now on, or are counted first where they are to be.
 */
void map_lead(void);

/* Calls are counted first from now on. */
void map_begin(void);

#endif
