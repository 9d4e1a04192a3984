/*
 * Context: T.  Writes the classic files of a program that profiles itself when
 * a signal kills it.  hook_monitor.c and hook_gmon.c install the handler,
 * hook_syscall.c removes it before a filter.  write_and_die() runs in the
 * thread that the signal came to, at any instruction.
 *
 * Classic profilers lost all data then.  If libmon is preloaded, the profile is
 * in its own file; if it is only linked, the signal that would end the process
 * writes the file first.  The program can see these handlers; handlers that it
 * sets replace them.
 */
#include "base/state.h"
#include "classic/format_writers.h"
#include "classic/monitor.h"
#include "hook.h"
#include "thread/signal_stack.h"

#include <ucontext.h>

#define WRITE_STACK_BYTES	16384u	/* paths take them, beside a frame */

/*
 * Signals whose action is to end the process, with or without a core;
 * signal(7).
 */
static const int fatal_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
	SIGVTALRM, SIGSYS,
};

/*
 * Returns whether the interrupted instruction would fault again.  Traps are
 * reported behind their instruction, and an old memory error at any place.
 */
static bool
is_synchronous_fault(int sig, const siginfo_t *si)
{
	return si->si_code > 0 && (sig == SIGSEGV || sig == SIGILL ||
	    sig == SIGFPE || (sig == SIGBUS && si->si_code != BUS_MCEERR_AO));
}

/*
 * Returns whether the stack has room: an alternate stack of the program may
 * have room for a handler and no more.
 */
static bool
has_room_to_write(const ucontext_t *uc)
{
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) -
	    (uintptr_t)uc->uc_stack.ss_sp;

	return left >= uc->uc_stack.ss_size || left >= WRITE_STACK_BYTES;
}

/*
 * Writes the files and lets the signal kill.  A fault occurs again at its
 * place, so that a core shows that place.  Other signals are sent again, and
 * arrive when the handler returns.
 */
static void
write_and_die(int sig, siginfo_t *si, void *context)
{
	const struct sigaction none = {.sa_handler = SIG_DFL};

	if (has_room_to_write(context)) {
		monitor_save();
		format_writers_run();
	}
	sigaction(sig, &none, NULL);
	if (!is_synchronous_fault(sig, si))
		sys_tgkill(sys_getpid(), sys_gettid(), sig);
}

/* The handlers may be in force; the program may have replaced some. */
static _Atomic bool is_installed;

/*
 * Called before the first seccomp filter, because behind one any system call
 * may kill.
 */
void
hook_fatal_signal_remove(void)
{
	const struct sigaction none = {.sa_handler = SIG_DFL};
	struct sigaction now;

	if (!atomic_exchange(&is_installed, false))
		return;
	for (unsigned i = 0;
	    i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		if (sigaction(fatal_signals[i], NULL, &now) == 0 &&
		    now.sa_sigaction == write_and_die)
			sigaction(fatal_signals[i], &none, NULL);
}

void
hook_fatal_signal_install(void)
{
	struct sigaction ours = {.sa_sigaction = write_and_die}, now;

	/*
	 * The first process of a namespace is not killed by a signal that it
	 * does not catch.
	 */
	if (sys_getpid() == 1)
		return;
	atomic_store(&is_installed, true);
	signal_stack_exempt((void *)write_and_die);
	for (unsigned i = 0;
	    i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++) {
		/* The stack itself may be the cause of these. */
		ours.sa_flags = SA_SIGINFO | (fatal_signals[i] == SIGSEGV ||
		    fatal_signals[i] == SIGBUS ? SA_ONSTACK : 0);
		if (sigaction(fatal_signals[i], NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &ours, NULL);
	}
}
