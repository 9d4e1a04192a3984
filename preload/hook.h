/*
 * Context: T.  Declares what the hooks of libc's functions share.  The program
 * and its libraries call hooks in place of libc's functions: in any thread,
 * also in a signal handler, in a vfork child, and before libmon's constructor.
 * As a rule libc's inner calls come to no hook.
 */
#ifndef HOOK_H
#define HOOK_H

#include "real.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MON_EXPORT __attribute__((visibility("default")))

/* Returns a result of 0 or more as it is; turns -errno into -1 and errno. */
static inline int
hook_return(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

/*
 * Makes each signal that would kill the process now write the classic files
 * (mon.out, gmon.out) first.  For a library that is only linked.
 * hook_fatal_signal.c.
 */
void hook_fatal_signal_install(void);
/* Undoes hook_fatal_signal_install(), if that was called. */
void hook_fatal_signal_remove(void);

/*
 * Prepares for a resource limit of a process; see precreate.h.  pid 0: the
 * caller's.  next: the program's pointer, which is checked.  Does nothing for
 * another process and behind seccomp.  hook_credentials.c.
 */
struct rlimit;
void hook_before_setrlimit(pid_t pid, int resource, const struct rlimit *next);

#endif
