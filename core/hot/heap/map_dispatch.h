/*
 * Context: S.  Tables of function pointers by which calls that map memory go to
 * the real functions or to those that count; see alloc_dispatch.h, and
 * doc/design/mappings.md.
 */
#ifndef MAP_DISPATCH_H
#define MAP_DISPATCH_H

#include "heap/map_real.h"

#include <stdbool.h>

/*
 * The function that the stub of each name jumps to.  NULL: the real function
 * has not been looked for yet.
 */
extern void *map_dispatch_table[MAP_REAL_COUNT]
    __attribute__((visibility("hidden")));

/* Stubs that count: core/arch/CPU/map.S. */
extern void *const map_dispatch_counting[MAP_REAL_COUNT]
    __attribute__((visibility("hidden")));

/*
 * Makes the table agree with the configuration and the modes: from now on calls
 * are counted first, or go to functions that do not count.  hook_resolve.c
 * calls it, once map_real is filled.
 */
void map_dispatch_update(void);

/*
 * Sets the stubs to which calls go while they are counted, by number.  The
 * start calls it once, before `mon` is set; a fork child keeps them.  The stubs
 * are not named here, because they call what takes orders, which calls
 * map_dispatch_start().
 */
void map_dispatch_set_stubs(void *const *counting);

/*
 * Makes the table count calls from now on; where no call has been made yet, the
 * first one fills the table.  map_dispatch_set_stubs() has run.
 * alloc_dispatch_start() calls it.
 */
void map_dispatch_start(void);

#endif
