/*
 * Context: O.  Locks a profile or directory against other tools, for those
 * files of this room that write one; see file_lock.h.
 */
#include "file_lock.h"

#include <errno.h>
#include <sys/file.h>
#include <time.h>

/* 1 ms apart; a writer needs less than one ms */
#define TRIES	1000

int
file_lock_take(int fd, struct fault *f)
{
	const struct timespec a_while = { .tv_nsec = 1000000 };
	int ret;

	for (int i = 0; i < TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fault_set(f, "cannot be locked",
			    FAULT_NO_OFFSET, errno);
		nanosleep(&a_while, NULL);
	}
	ret = fault_set(f, "is locked by another program", FAULT_NO_OFFSET, 0);
	f->remedy = "that may be a stopped prof --control: see /proc/locks";
	return ret;
}

void
file_lock_drop(int fd)
{
	flock(fd, LOCK_UN);
}
