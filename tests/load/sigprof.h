/* Context: load.  Declarations that the parts of sigprof.c share. */
#ifndef SIGPROF_H
#define SIGPROF_H

#include "load.h"

#include <signal.h>

#define SIGPROF_USES(X) \
	X(itimer) X(timer) X(kill) X(sigwait) X(signalfd) X(pending) \
	X(ignore) X(default) X(kill_default) X(threads) X(restore) \
	X(exec_pending) X(exec_ignored) X(async) X(async_default) \
	X(interrupt) X(first_time)

#define SIGPROF_DECLARE(name) void use_##name(void);
SIGPROF_USES(SIGPROF_DECLARE)
#undef SIGPROF_DECLARE

/* How often the handler ran, and the last si_code. */
extern volatile sig_atomic_t sigprof_count, sigprof_code;
extern sigset_t sigprof_set;	/* SIGPROF alone */

void sigprof_handler(int sig, siginfo_t *info, void *context);
void sigprof_install(int flags);
/* SIG_BLOCK or SIG_UNBLOCK. */
void sigprof_block(int how);

#endif
