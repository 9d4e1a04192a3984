/* Context: T.  Tells the start whether this library was linked or preloaded. */
#ifndef LINK_MODE_H
#define LINK_MODE_H

#include <stdbool.h>

/*
 * Returns whether the library is loaded only because an object is linked with
 * it.  preload: the value of LD_PRELOAD, or NULL.
 */
bool link_mode_is_linked(const char *preload);

#endif
