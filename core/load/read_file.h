/*
 * Context: O.  Reads a whole file, or its beginning, into memory: files that
 * are no profiles of libmon.  For the readers of files of other profilers and
 * of tprof.out, the listing, and the tools' looks at what a named file is.
 */
#ifndef READ_FILE_H
#define READ_FILE_H

#include "fault.h"

#include <stddef.h>

#define READ_FILE_NONE 1		/* no regular file that can be opened */

/*
 * Reads the regular file `path`.  *bytes is allocated or NULL; the caller frees
 * it in any case.  *size may be less than the file's if that became shorter.
 * Returns 0; READ_FILE_NONE if there is no regular file that can be opened,
 * without *f and *size; or -errno with *f set, except f->file.
 */
int read_file_all(const char *path, unsigned char **bytes, size_t *size,
    struct fault *f);

/*
 * Reads the beginning of a regular file, at most `size` bytes, into `bytes`.
 * Returns the number of bytes read; 0 on errors.
 */
size_t read_file_head(const char *path, unsigned char *bytes, size_t size);

/*
 * Reads fd, any kind of file, from where it stands up to its end.  *bytes is
 * allocated; the caller frees it in any case, and closes fd.  Returns 0, or
 * -errno with *f set, except f->file.
 */
int read_file_stream(int fd, unsigned char **bytes, size_t *size,
    struct fault *f);

#endif
