/*
 * Context: S.  Tables of function pointers by which calls that map memory go to
 * the real functions or to those that count; see alloc_dispatch.h, and
 * doc/design/mappings.md.
 */
#ifndef MAP_DISPATCH_H
#define MAP_DISPATCH_H

#include <stdbool.h>

/*
 * Lists the functions: X(number, name).  The numbers are the order of
 * map_dispatch_table and map_dispatch_real; the stubs rely on it.
 */
#define MAP_DISPATCH_FUNCTIONS(X) \
	X(0, mmap) \
	X(1, mmap64) \
	X(2, munmap) \
	X(3, mremap) \
	X(4, brk) \
	X(5, sbrk)

/* MAP_mmap and so on: the numbers of the functions, and how many there are. */
enum {
#define MAP_DISPATCH_NUMBER(number, name) MAP_##name = number,
	MAP_DISPATCH_FUNCTIONS(MAP_DISPATCH_NUMBER)
#undef MAP_DISPATCH_NUMBER
	MAP_DISPATCH_COUNT
};

/*
 * The function that the stub of each name jumps to.  NULL: the real function
 * has not been looked for yet.
 */
extern void *map_dispatch_table[MAP_DISPATCH_COUNT]
    __attribute__((visibility("hidden")));

/*
 * The real functions, which are called in the end: the next definitions of
 * these names behind ours; and the names, by number.
 */
extern void *map_dispatch_real[MAP_DISPATCH_COUNT];
extern const char *const map_dispatch_names[MAP_DISPATCH_COUNT];

/*
 * Fills map_dispatch_real from the loader's list of objects.  Returns false if
 * that has no mmap().
 */
bool map_dispatch_find_next(void);

/*
 * Makes the table agree with the configuration and with what is paused: from
 * now on calls are counted first, or go to functions that do not count.
 */
void map_dispatch_update(void);

/* Makes the table count calls from now on. */
void map_dispatch_start(void);

#endif
