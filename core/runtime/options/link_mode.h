/*
 * Context: T.  Tells the start (life/start.c) whether this library was linked
 * or preloaded.
 */
#ifndef LINK_MODE_H
#define LINK_MODE_H

#include <stdbool.h>

/*
 * Returns whether the library is loaded only because an object is linked with
 * it.  preload: the value of LD_PRELOAD, or NULL.  The loader's list must be
 * known (link_map_init()).
 */
bool link_mode_is_linked(const char *preload);

#endif
