/*
 * Context: O.  Opens files whose names come from outside: from a profile, an
 * ELF file or a user.  Every reader of the tools opens such a file here.  In
 * proffs both functions refuse a path into its own mount (mount_guard.h).
 */
#ifndef REGULAR_FILE_H
#define REGULAR_FILE_H

#include <sys/stat.h>

/*
 * Reads the status of a file, as stat(2).  Returns 0; -ELOOP if the path leads
 * into the own mount; or -errno.
 */
int regular_file_stat(const char *path, struct stat *st);

/*
 * Opens a regular file for reading.  The type is checked before the file is
 * opened: to open a device may have effects, and to open a FIFO may wait.
 * flags: O_NOFOLLOW or 0.  Returns a descriptor that the caller closes, with
 * *st set; -ENOEXEC if the file is of another type; -ELOOP if the path leads
 * into the own mount; or -errno.
 */
int regular_file_open(const char *path, int flags, struct stat *st);

#endif
