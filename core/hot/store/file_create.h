/*
 * Context: S.  Creates a file that is complete from the moment it has its name,
 * for store_path.c.  Opens descriptors: run by private_fds_run().  store_path.c
 * and start_defaults.c ask whether a file exists.
 */
#ifndef FILE_CREATE_H
#define FILE_CREATE_H

#include "base/sys.h"

/*
 * Creates a file of mode 0600 at path with these n bytes.  directory: that of
 * path.  If the process is killed meanwhile, there is either no file or the
 * complete one, where the file system allows that.  Returns an open descriptor,
 * for reading and writing, or -errno: -EEXIST if the name is taken, by a
 * symbolic link, too.
 */
int file_create_atomic(const char *path, const char *directory,
    const void *bytes, size_t n);

/*
 * Returns whether anything has that name, a symbolic link included.  Opens no
 * descriptor.
 */
bool file_create_exists(const char *path);

#endif
