/* Context: S.  A file that is whole from the moment it has its name. */
#ifndef FILE_CREATE_H
#define FILE_CREATE_H

#include "base/sys.h"

/*
 * A new file at path, of mode 0600, that holds these n bytes; who is killed
 * meanwhile leaves nothing, or all of them.  An open descriptor, or -errno:
 * -EEXIST when the name is taken, by a symbolic link too.  directory: of path.
 */
int file_create_atomic(const char *path, const char *directory,
    const void *bytes, size_t n);

/* Is there anything of that name? */
bool file_create_exists(const char *path);

#endif
