/* Context: O.  All bytes of a regular file. */
#ifndef READALL_H
#define READALL_H

#include "fault.h"

#include <stddef.h>

#define READALL_NONE 1		/* no regular file that can be opened */

/* *bytes is malloced.  0, READALL_NONE, or -errno with *f set. */
int readall(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f);

/* The first ones of such a file, at most `size`; how many.  Quiet. */
size_t readall_first(const char *path, unsigned char *bytes, size_t size);

/* Of any kind of file, up to its end. */
int readall_stream(int fd, unsigned char **bytes, size_t *size,
    struct fault *f);

#endif
