/* Context: O.  One controller at a time. */
#ifndef FILE_LOCK_H
#define FILE_LOCK_H

#include "fault.h"

/*
 * flock(2) of an open file, until it is closed or unlocked.  Who holds it may
 * have been stopped in the midst: it is waited for a second.  0, or -errno and
 * *f.
 */
int file_lock_take(int fd, struct fault *f);
void file_lock_drop(int fd);

#endif
