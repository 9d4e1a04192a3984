/*
 * Context: T.  A signal that kills a program which called monitor(3C).
 *
 * The classic lost all then.  Where we are preloaded the profile is in its own
 * file; where not, what would end the process writes mon.out first.  The
 * program can see these handlers; its own take their place.
 */
#include "hook.h"
#include "monitor.h"
#include "state.h"

/* Their action is to end the process, with a core or without; signal(7). */
static const int fatal[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
	SIGVTALRM, SIGSYS,
};

static bool
is_own_fault(int sig, const siginfo_t *si)
{
	return si->si_code > 0 && (sig == SIGSEGV || sig == SIGBUS ||
	    sig == SIGILL || sig == SIGFPE || sig == SIGTRAP);
}

/*
 * A fault comes again where it was, so that a core shows that.  Others are sent
 * again, and come when this returns.
 */
static void
die(int sig, siginfo_t *si, void *context)
{
	const struct sigaction none = {.sa_handler = SIG_DFL};

	(void)context;
	monitor_save();
	sigaction(sig, &none, NULL);
	if (!is_own_fault(sig, si))
		sys_tgkill(sys_getpid(), sys_gettid(), sig);
}

void
hook_fatal_watch(void)
{
	const struct sigaction ours = {.sa_sigaction = die,
	    .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction now;
	unsigned i;

	for (i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (sigaction(fatal[i], NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL)
			sigaction(fatal[i], &ours, NULL);
}
