/* Context: T.  What every hook shares. */
#ifndef HOOK_H
#define HOOK_H

#include "real.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MON_EXPORT __attribute__((visibility("default")))

/* -errno to the caller's convention: -1 and errno. */
static inline int
hook_return(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

/*
 * hook_fatal_signal.c: on each signal that would kill now, mon.out comes first.
 */
void hook_fatal_signal_install(void);
/* And no more. */
void hook_fatal_signal_remove(void);

/*
 * Prepares for a limit of a process; see precreate.h.  pid 0: the caller's.
 * next: the program's pointer, which is checked.  Does nothing for another
 * process and behind seccomp.  hook_credentials.c.
 */
struct rlimit;
void hook_before_setrlimit(pid_t pid, int resource, const struct rlimit *next);

#endif
