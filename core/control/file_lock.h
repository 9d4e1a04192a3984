/*
 * Context: O.  Locks a profile or a directory against other tools, so that one
 * tool at a time changes it.  Used where this room writes an order
 * (control_client.c), a baseline (profile_reset.c) or directory defaults
 * (defaults_file.c).  Processes under libmon.so take no such lock.
 */
#ifndef FILE_LOCK_H
#define FILE_LOCK_H

#include "fault.h"

/*
 * Takes the exclusive flock(2) of an open file.  The lock lasts until
 * file_lock_drop() or the close of fd.  A tool that holds the lock may have
 * been stopped meanwhile, so the call gives up after one second.  Returns 0; or
 * -errno with *f set: -EINVAL after that second.
 */
int file_lock_take(int fd, struct fault *f);

/* Releases the lock. */
void file_lock_drop(int fd);

#endif
