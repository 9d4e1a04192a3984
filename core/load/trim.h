/*
 * Context: O.  Gives back the space of a profile that its process left unused.
 * load_open() calls it, after it has read the file, for each profile that is
 * not sealed, or was sealed by an exec.
 */
#ifndef TRIM_H
#define TRIM_H

#include <sys/stat.h>

/*
 * Truncates the open file fd to the length that is used, as its process would
 * have done at its end: a process that ends without a seal, or executes another
 * program beside threads, leaves a file as long as size= allows.  fd is open
 * for reading and stays open; st: its fstat(2).  Does nothing unless all of
 * this is true: the file belongs to the caller; it is live and no dump, or was
 * sealed by an exec; its process is certain to be gone; no tool has locked it.
 * Keeps the times of the file.  Reports no error.
 */
void trim_unused(int fd, const struct stat *st);

#endif
