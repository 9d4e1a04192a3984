/*
 * Context: T.  Prepares the process for a seccomp filter, which may forbid
 * system calls of libmon.  The hooks of prctl(2) and syscall(2) call it before
 * and after the program's own call, also for syscall user dispatch, and in any
 * process: where nothing is profiled, only monitor(3C) is told.
 */
#ifndef SECCOMP_H
#define SECCOMP_H

#include <stdbool.h>

struct sock_fprog;

/*
 * Makes now all that will be needed, and freezes the process: from here on
 * libmon makes no system call but the return from a signal handler.  If this
 * filter, or a later one, does not allow even that, stops the clocks.  filter:
 * the program's, which need not be valid or readable; NULL for strict mode.
 * Returns true if this call froze the process; then the caller must call
 * seccomp_freeze_end() after the program's own call.
 */
bool seccomp_freeze(const struct sock_fprog *filter);

/*
 * Ends what seccomp_freeze() has begun.  refused: the kernel refused the
 * filter, so all is undone.
 */
void seccomp_freeze_end(bool refused);

#endif
