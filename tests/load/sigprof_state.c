/* Context: load.  sigprof.c's uses of SIGPROF that is blocked, waited for,
 * ignored, inherited or left to its default. */
#include "sigprof.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

static const char *
is_pending(void)
{
	sigset_t s;

	sigpending(&s);
	return sigismember(&s, SIGPROF) ? "pending" : "not pending";
}

void
use_sigwait(void)
{
	struct timespec zero = { 0, 0 }, wait = { 0, 5000000 };
	int i, sig, right = 0, none = 0;
	siginfo_t info;

	sigprof_block(SIG_BLOCK);
	for (i = 0; i < 200; i++) {
		load_burn(0.001);
		none += sigtimedwait(&sigprof_set, &info, &zero) == -1;
		raise(SIGPROF);
		right += sigwait(&sigprof_set, &sig) == 0 && sig == SIGPROF;
		raise(SIGPROF);
		right += sigwaitinfo(&sigprof_set, &info) == SIGPROF &&
		    info.si_pid == getpid();
		none += sigtimedwait(&sigprof_set, &info,
		    i % 20 ? &zero : &wait) == -1;
	}
	printf("sigwait %d none %d\n", right, none);
}

void
use_signalfd(void)
{
	struct signalfd_siginfo info;
	struct pollfd p = { .events = POLLIN };
	int i, right = 0, quiet = 0;

	sigprof_block(SIG_BLOCK);
	LOAD_TRY(p.fd = signalfd(-1, &sigprof_set, SFD_NONBLOCK | SFD_CLOEXEC));
	for (i = 0; i < 200; i++) {
		load_burn(0.001);
		quiet += poll(&p, 1, 0) == 0;
		raise(SIGPROF);
		right += poll(&p, 1, 1000) == 1;
		right += read(p.fd, &info, sizeof(info)) == sizeof(info) &&
		    info.ssi_signo == SIGPROF &&
		    info.ssi_pid == (uint32_t)getpid();
	}
	printf("signalfd %d quiet %d\n", right, quiet);
}

void
use_pending(void)
{
	sigprof_install(0);
	sigprof_block(SIG_BLOCK);
	load_burn(0.05);
	printf("at first %s\n", is_pending());
	raise(SIGPROF);
	raise(SIGPROF);
	load_burn(0.05);
	printf("raised %s count %d\n", is_pending(), (int)sigprof_count);
	sigprof_block(SIG_UNBLOCK);
	printf("unblocked %s count %d\n", is_pending(), (int)sigprof_count);
}

/* Blocked with the default action, then ignored: it goes; nobody dies. */
void
use_ignore(void)
{
	sigprof_block(SIG_BLOCK);
	raise(SIGPROF);
	printf("raised %s\n", is_pending());
	signal(SIGPROF, SIG_IGN);
	printf("ignored %s\n", is_pending());
	sigprof_block(SIG_UNBLOCK);
	raise(SIGPROF);
	load_burn(0.05);
	puts("alive");
}

void
use_default(void)
{
	sigprof_install(0);
	signal(SIGPROF, SIG_DFL);
	load_burn(0.05);
	raise(SIGPROF);
	puts("survived");
}

/* Nothing installed at all: the first thing is the signal that kills. */
void
use_kill_default(void)
{
	load_burn(0.05);
	kill(getpid(), SIGPROF);
	puts("survived");
}

/* Saved and put back around calls, as libraries do, many times. */
void
use_restore(void)
{
	struct sigaction old, now;
	int i, wrong = 0;

	sigprof_install(0);
	for (i = 0; i < 100000; i++) {
		sigaction(SIGPROF, NULL, &old);
		signal(SIGPROF, SIG_IGN);
		wrong += sigaction(SIGPROF, &old, &now) != 0;
		wrong += now.sa_handler != SIG_IGN;
		wrong += old.sa_sigaction != sigprof_handler;
		sigaction(SIGBUS, NULL, &old);
		wrong += sigaction(SIGBUS, &old, NULL) != 0;
		wrong += old.sa_handler != SIG_DFL;
	}
	raise(SIGPROF);
	printf("wrong %d count %d\n", wrong, (int)sigprof_count);
}

static void
status_of(const char *what)
{
	execlp("env", "env", "-u", "LD_PRELOAD", "grep", "-E",
	    "Sig(Pnd|ShdPnd|Blk|Ign)|ShdPnd", "/proc/self/status", NULL);
	load_die(what);
}

void
use_exec_pending(void)
{
	sigprof_block(SIG_BLOCK);
	kill(getpid(), SIGPROF);
	load_burn(0.05);
	fflush(stdout);
	status_of("exec");
}

void
use_exec_ignored(void)
{
	signal(SIGPROF, SIG_IGN);
	load_burn(0.05);
	fflush(stdout);
	status_of("exec");
}

/*
 * Three hundred processes, each at another moment: a tick that is pending just
 * when SIGPROF becomes the program's must not meet its default action.
 */
void
use_first_time(void)
{
	int i, status, killed = 0;
	pid_t pid;

	for (i = 0; i < 300; i++) {
		LOAD_TRY(pid = fork());
		if (pid == 0) {
			load_burn(0.012);
			load_spin((uint64_t)i * 997);
			signal(SIGPROF, SIG_IGN);
			signal(SIGPROF, SIG_DFL);
			_exit(0);
		}
		LOAD_TRY(waitpid(pid, &status, 0));
		killed += WIFSIGNALED(status);
	}
	printf("killed %d\n", killed);
}
