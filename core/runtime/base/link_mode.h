/* Context: T.  Is this library only here as a program is linked with it? */
#ifndef LINK_MODE_H
#define LINK_MODE_H

#include <stdbool.h>

/* preload: the value of LD_PRELOAD, or NULL. */
bool link_mode_is_linked(const char *preload);

#endif
