/* Context: T.  Is this library only here as a program is linked with it? */
#ifndef LINKED_H
#define LINKED_H

#include <stdbool.h>

/* preload: the value of LD_PRELOAD, or NULL. */
bool linked_only(const char *preload);

#endif
