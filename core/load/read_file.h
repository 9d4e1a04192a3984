/* Context: O.  All bytes of a regular file. */
#ifndef READ_FILE_H
#define READ_FILE_H

#include "fault.h"

#include <stddef.h>

#define READ_FILE_NONE 1		/* no regular file that can be opened */

/* *bytes is malloced.  0, READ_FILE_NONE, or -errno with *f set. */
int read_file_all(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f);

/* The first ones of such a file, at most `size`; how many.  Quiet. */
size_t read_file_head(const char *path, unsigned char *bytes, size_t size);

/* Of any kind of file, up to its end. */
int read_file_stream(int fd, unsigned char **bytes, size_t *size,
    struct fault *f);

#endif
