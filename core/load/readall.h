/* Context: O.  All bytes of a regular file. */
#ifndef READALL_H
#define READALL_H

#include "fault.h"

#include <stddef.h>

#define READALL_NONE 1		/* no regular file that can be opened */

/* *bytes is malloced.  0, READALL_NONE, or -errno with *f set. */
int readall(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f);

#endif
