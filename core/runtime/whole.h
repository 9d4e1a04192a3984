/* Context: T.  A file that replaces another is there whole, or not at all. */
#ifndef WHOLE_H
#define WHOLE_H

#include <stddef.h>

/* Write all of it to fd: 0 or -errno. */
typedef int whole_content(int fd, void *arg);

/*
 * Written beside `path`, as PATH.part.PID, and renamed; where the directory
 * takes no new name, over what is there.  No link is followed.  Mode 0666, less
 * the umask.  0 or -errno.
 */
int whole_write(const char *path, whole_content *content, void *arg);

/* For contents. */
int whole_put(int fd, const void *bytes, size_t n);

#endif
