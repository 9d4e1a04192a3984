/* Context: O.  Space of a profile that its process left unused. */
#ifndef TRIM_H
#define TRIM_H

#include <sys/stat.h>

/*
 * Cut the file that fd is open at to the length that it uses, as its process
 * would have at its end: a process that is gone without a seal leaves a file as
 * long as size= allows.  `st` is what fstat(2) says of it.  Nothing is done
 * unless the file is the caller's own, its process is certain to be gone, and
 * no tool has it locked.  The times of the file stay.
 */
void trim_unused(int fd, const struct stat *st);

#endif
