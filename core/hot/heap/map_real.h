/*
 * Context: S.  The functions that map memory, by number: their names, and the
 * real functions behind our stubs of these names.  map_hooks.c and code_unmap.c
 * call the real functions; hook_resolve.c has them found at the first call.
 */
#ifndef MAP_REAL_H
#define MAP_REAL_H

#include "stub_functions.h"

#include <stdbool.h>

/* MAP_mmap and so on: the numbers of the functions, and how many there are. */
enum {
#define MAP_REAL_NUMBER(number, name) MAP_##name = number,
	MAP_REAL_FUNCTIONS(MAP_REAL_NUMBER)
#undef MAP_REAL_NUMBER
	MAP_REAL_COUNT
};

/*
 * The real functions, which are called in the end: the next definitions of
 * these names behind ours; and the names, by number.
 */
extern void *map_real[MAP_REAL_COUNT];
extern const char *const map_real_names[MAP_REAL_COUNT];

/*
 * Fills map_real from the loader's list of objects.  Returns false if
 * that has no mmap().
 */
bool map_real_find_next(void);

#endif
