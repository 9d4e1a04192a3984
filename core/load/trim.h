/* Context: O.  Space of a profile that its process left unused. */
#ifndef TRIM_H
#define TRIM_H

#include <sys/stat.h>

/*
 * Cuts the file that fd is open at to the length that it uses, as its process
 * would have done at its end; a process that ends without a seal leaves a file
 * as long as size= allows.  st: the file's fstat(2).  Does nothing unless the
 * file is the caller's own, its process is certain to be gone, and no tool has
 * locked it.  Keeps the times of the file.
 */
void trim_unused(int fd, const struct stat *st);

#endif
