/* Context: load.  same.c's calls on actions and masks. */
#include "same.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

/* Deprecated, still in programs, still to be right. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static long
action(int sig, void (*handler)(int), int flags)
{
	struct sigaction a, old;
	long r;

	memset(&a, 0, sizeof(a));
	a.sa_handler = handler;
	a.sa_flags = flags;
	sigfillset(&a.sa_mask);
	r = sigaction(sig, &a, &old);
	if (r == 0)
		printf("\told %s\n", old.sa_handler == SIG_DFL ? "default" :
		    old.sa_handler == SIG_IGN ? "ignore" :
		    old.sa_handler == same_first ? "first" :
		    old.sa_handler == same_second ? "second" : "foreign");
	return r;
}

static long
named(void (*old)(int))
{
	return old == SIG_ERR ? -1 : old == SIG_DFL ? 0 : old == SIG_IGN ? 1 :
	    old == SIG_HOLD ? 2 : old == same_first ? 11 :
	    old == same_second ? 12 : 99;
}

#define CALL(name) static long name(void)
CALL(action_usr1) { return action(SIGUSR1, same_first, SA_RESTART); }
CALL(action_usr2) { return action(SIGUSR2, same_second, SA_ONSTACK); }
CALL(action_bus) { return action(SIGBUS, same_first, SA_ONSTACK | SA_NODEFER); }
CALL(action_bus_default) { return action(SIGBUS, SIG_DFL, 0); }
CALL(action_query) { return sigaction(SIGPROF, NULL, NULL); }
CALL(action_kill) { return action(SIGKILL, same_first, 0); }
CALL(action_zero) { return action(0, same_first, 0); }
CALL(action_65) { return action(65, same_first, 0); }
CALL(action_32) { return action(32, same_first, 0); }
CALL(action_rtmin) { return action(SIGRTMIN, same_first, SA_SIGINFO); }
CALL(action_rtmin_default) { return action(SIGRTMIN, SIG_DFL, 0); }
CALL(action_stkflt) { return action(SIGSTKFLT, same_first, 0); }
CALL(action_stkflt_default) { return action(SIGSTKFLT, SIG_DFL, 0); }
CALL(signal_hup) { return named(signal(SIGHUP, same_first)); }
CALL(signal_hup_again) { return named(signal(SIGHUP, SIG_DFL)); }
CALL(signal_bad) { return named(signal(SIGKILL, same_first)); }
CALL(ssignal_hup) { return named(ssignal(SIGHUP, same_second)); }
CALL(sysv_signal_hup) { return named(sysv_signal(SIGHUP, same_first)); }
CALL(sigset_hold) { return named(sigset(SIGHUP, SIG_HOLD)); }
CALL(sigset_first) { return named(sigset(SIGHUP, same_first)); }
CALL(sigset_default) { return named(sigset(SIGHUP, SIG_DFL)); }
CALL(sighold_hup) { return sighold(SIGHUP); }
CALL(sighold_last) { return sighold(SIGRTMAX) * 10 + sigrelse(SIGRTMAX); }
CALL(sigrelse_hup) { return sigrelse(SIGHUP); }

/* Those that are none, and those that libc keeps to itself. */
CALL(hold_bad)
{
	static const int bad[] = {-1, 0, 32, 33, 65, 1 << 30};
	unsigned i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		errno = 0;
		printf("\t%d", sighold(bad[i]));
		printf(" %d", errno);
		errno = 0;
		printf("  %d", sigrelse(bad[i]));
		printf(" %d\n", errno);
	}
	return 0;
}

CALL(sigignore_hup) { return sigignore(SIGHUP); }
CALL(siginterrupt_on) { return siginterrupt(SIGUSR1, 1); }
CALL(siginterrupt_off) { return siginterrupt(SIGUSR1, 0); }
CALL(sigblock_hup) { return sigblock(1 << (SIGHUP - 1)); }
CALL(sigsetmask_zero) { return sigsetmask(0); }

CALL(gsignal_winch) { return gsignal(SIGWINCH); }
CALL(killpg_nothing) { return killpg(getpgrp(), 0); }
CALL(killpg_nobody) { return killpg(0x7ffffffe, 0); }
CALL(tgkill_winch) { return tgkill(getpid(), gettid(), SIGWINCH); }
CALL(tgkill_bad) { return tgkill(getpid(), gettid(), 65); }

CALL(pthread_sigqueue_winch)
{
	return pthread_sigqueue(pthread_self(), SIGWINCH,
	    (union sigval){.sival_int = 5});
}

/* Names that the headers redirect, or do not have any more. */
static long
handler_by(const char *name)
{
	sighandler_t (*set)(int, sighandler_t);

	*(void **)&set = dlsym(RTLD_DEFAULT, name);
	return set == NULL ? -3 : named(set(SIGHUP, same_first)) * 100 +
	    named(signal(SIGHUP, SIG_DFL));
}

CALL(bsd_signal_hup) { return handler_by("bsd_signal"); }
CALL(sysv_signal_by_name) { return handler_by("__sysv_signal"); }

CALL(sigaction_by_name)
{
	int (*set)(int, const struct sigaction *, struct sigaction *);
	struct sigaction old;

	*(void **)&set = dlsym(RTLD_DEFAULT, "__sigaction");
	return set == NULL ? -3 : set(SIGHUP, NULL, &old);
}

/* One that waits, and comes when the call opens it. */
static long
pause_by(const char *name, int argument)
{
	int (*wait_for)(int), before = same_handled;
	sigset_t s = same_set(SIGHUP, 0);
	long r;

	*(void **)&wait_for = dlsym(RTLD_DEFAULT, name);
	if (wait_for == NULL)
		return -3;
	signal(SIGHUP, same_first);
	sigprocmask(SIG_BLOCK, &s, NULL);
	raise(SIGHUP);
	r = wait_for(argument);
	printf("\tcame %d\n", same_handled - before);
	sigprocmask(SIG_UNBLOCK, &s, NULL);
	signal(SIGHUP, SIG_DFL);
	return r;
}

CALL(sigpause_bsd) { return pause_by("sigpause", 0); }
CALL(sigpause_xpg) { return pause_by("__xpg_sigpause", SIGHUP); }
CALL(sigpause_32) { return pause_by("__xpg_sigpause", 32); }

/* Asks for a mask of all signals at once, and prints the answer. */
CALL(mask_all)
{
	sigset_t all, old;
	long r;

	sigfillset(&all);
	r = sigprocmask(SIG_BLOCK, &all, &old);
	printf("\tgave %#llx old %#llx\n", (unsigned long long)same_bits(&all),
	    (unsigned long long)same_bits(&old));
	return r;
}

CALL(mask_profiled)
{
	load_burn(0.01);	/* ticks while everything is blocked */
	return 0;
}

CALL(mask_none)
{
	sigset_t none, old;
	long r;

	sigemptyset(&none);
	r = pthread_sigmask(SIG_SETMASK, &none, &old);
	printf("\told %#llx\n", (unsigned long long)same_bits(&old));
	return r;
}

CALL(mask_prof)
{
	sigset_t s = same_set(SIGPROF, SIGBUS);

	return sigprocmask(SIG_BLOCK, &s, NULL);
}

CALL(mask_prof_off)
{
	sigset_t s = same_set(SIGPROF, SIGBUS);

	return pthread_sigmask(SIG_UNBLOCK, &s, NULL);
}

CALL(mask_bad_how)
{
	sigset_t s = same_set(SIGHUP, 0);

	return sigprocmask(99, &s, NULL);
}

CALL(pthread_mask_bad_how)
{
	sigset_t s = same_set(SIGHUP, 0);

	return pthread_sigmask(99, &s, NULL);
}

CALL(pending_none)
{
	sigset_t s;
	long r = sigpending(&s);

	printf("\tpending %#llx\n", (unsigned long long)same_bits(&s));
	return r;
}

static unsigned long long was_pending;
static int ended;

/* Long enough for ticks, which wait while it runs. */
static void
pending_while_busy(int sig)
{
	const struct timespec t = { 0, 1000 };
	sigset_t s, none;

	(void)sig;
	sigemptyset(&none);
	load_burn(0.02);
	sigpending(&s);
	ended = ppoll(NULL, 0, &t, &none);	/* nor end a call */
	was_pending = same_bits(&s);
}

CALL(pending_in_handler)
{
	struct sigaction a;
	sigset_t s;

	memset(&a, 0, sizeof(a));
	a.sa_handler = pending_while_busy;
	a.sa_flags = SA_ONSTACK;
	sigaction(SIGWINCH, &a, NULL);
	raise(SIGWINCH);
	signal(SIGWINCH, SIG_DFL);
	sigpending(&s);
	printf("\tin it %#llx after %#llx\n", was_pending,
	    (unsigned long long)same_bits(&s));
	return ended;
}

/* SIGBUS is ours as well; one that was sent waits like any other. */
static long
bus_pending(void (*then)(int))
{
	struct sigaction a = { .sa_handler = same_first, .sa_flags = SA_NODEFER };
	sigset_t s = same_set(SIGBUS, 0), now;
	int before = same_handled;

	sigaction(SIGBUS, &a, NULL);
	sigprocmask(SIG_BLOCK, &s, NULL);
	raise(SIGBUS);
	load_burn(0.02);
	if (then != same_first)
		signal(SIGBUS, then);
	sigpending(&now);
	printf("\tpending %#llx handled %d\n",
	    (unsigned long long)same_bits(&now),
	    same_handled - before);
	sigprocmask(SIG_UNBLOCK, &s, NULL);
	signal(SIGBUS, SIG_DFL);
	return same_handled - before;
}

CALL(bus_comes) { return bus_pending(same_first); }
CALL(bus_waits) { return bus_pending(same_second); }
CALL(bus_forgotten) { return bus_pending(SIG_IGN); }
CALL(pending_nowhere) { return sigpending((sigset_t *)8); }
CALL(getmask_old)
{
	int (*get)(void);	/* the linker warns of its use */
	long r;

	*(void **)&get = dlsym(RTLD_DEFAULT, "siggetmask");
	sigblock(1 << (SIGHUP - 1) | 1 << (SIGPROF - 1));
	r = get();
	sigsetmask(0);
	return r;
}

static long
set_over_one(int sig)
{
	pid_t self = getpid(), thread = gettid(), child;

	same_handled = 0;
	signal(sig, SIG_DFL);
	sighold(sig);
	child = fork();
	if (child == 0) {
		tgkill(self, thread, sig);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	load_burn(0.02);	/* a tick waits as well, in whatever queue */
	return named(sigset(sig, same_first));
}

/*
 * One that waits comes to the handler that sigset sets, not to the one before,
 * and once: a tick that waits behind it is not the program's.
 * Another process's merges with a tick that is pending just then (a limit): not
 * three times.
 */
static long
set_over_waiting(int sig)
{
	long r = 0;
	int i;

	for (i = 0, same_handled = 0; i < 3 && same_handled == 0; i++)
		r = set_over_one(sig);
	printf("\tcame %d\n", same_handled);
	signal(sig, SIG_DFL);
	return r;
}

CALL(sigset_over_prof) { return set_over_waiting(SIGPROF); }
CALL(sigset_over_bus) { return set_over_waiting(SIGBUS); }
CALL(sigset_over_hup) { return set_over_waiting(SIGHUP); }

/* Their sa_masks. */
CALL(sigset_bus_asked)
{
	sigset(SIGBUS, same_first);
	return action(SIGBUS, SIG_DFL, 0);
}

CALL(sigignore_bus_asked)
{
	sigignore(SIGBUS);
	return action(SIGBUS, SIG_DFL, 0);
}

#define ROW(name) { #name, name }
const struct same_call same_signal[] = {
	ROW(action_usr1), ROW(action_usr2), ROW(action_bus),
	ROW(action_bus_default), ROW(action_query), ROW(action_kill),
	ROW(action_zero), ROW(action_65), ROW(action_32), ROW(action_rtmin),
	ROW(action_rtmin_default), ROW(action_stkflt),
	ROW(action_stkflt_default), ROW(signal_hup), ROW(signal_hup_again),
	ROW(signal_bad), ROW(ssignal_hup), ROW(sysv_signal_hup),
	ROW(sigset_hold), ROW(sigset_first), ROW(sigset_default),
	ROW(sighold_hup), ROW(sigrelse_hup), ROW(sighold_last), ROW(hold_bad),
	ROW(sigignore_hup),
	ROW(signal_hup_again), ROW(siginterrupt_on), ROW(siginterrupt_off),
	ROW(sigblock_hup), ROW(sigsetmask_zero), ROW(gsignal_winch),
	ROW(killpg_nothing), ROW(killpg_nobody), ROW(tgkill_winch),
	ROW(tgkill_bad), ROW(pthread_sigqueue_winch), ROW(bsd_signal_hup),
	ROW(sysv_signal_by_name), ROW(sigaction_by_name), ROW(sigpause_bsd),
	ROW(sigpause_xpg), ROW(sigpause_32), ROW(mask_all),
	ROW(mask_profiled), ROW(mask_none), ROW(mask_prof), ROW(mask_profiled),
	ROW(mask_prof_off), ROW(mask_bad_how), ROW(pthread_mask_bad_how),
	ROW(pending_none), ROW(pending_in_handler), ROW(pending_nowhere),
	ROW(bus_comes), ROW(bus_waits), ROW(bus_forgotten),
	ROW(getmask_old), ROW(sigset_bus_asked), ROW(sigignore_bus_asked),
	ROW(sigset_over_hup), ROW(sigset_over_bus), ROW(sigset_over_prof),
	{ NULL, NULL },
};
