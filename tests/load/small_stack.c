/* Context: load.  Alternate signal stacks that hold no signal's frame where
 * registers are large.  They harm nobody who takes no signal there, and no
 * tick may come there: each kind is another way to one. */
#include "load.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define SMALL 2048	/* as the headers say; the kernel allows it */
#define ROOMY 65536

static __thread char stack[ROOMY];
static jmp_buf back;
static volatile int done, ready;
static pid_t child;

static void
take(size_t bytes)
{
	stack_t s = { 0 };

	s.ss_sp = stack;
	s.ss_size = bytes;
	LOAD_TRY(sigaltstack(&s, NULL));
}

static void
no_more_timers(void)
{
	const struct rlimit none = { 0, 0 };

	LOAD_TRY(setrlimit(RLIMIT_SIGPENDING, &none));
}

static void
handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_handler = handler;
	a.sa_flags = flags;
	LOAD_TRY(sigaction(sig, &a, NULL));
}

static void
nothing(int sig)
{
	(void)sig;
}

static void *
burn(void *unused)
{
	load_burn(0.3);
	return unused;
}

static void
beside(void *(*run)(void *))
{
	pthread_t id;

	if (pthread_create(&id, NULL, run, NULL) != 0)
		load_die("pthread_create");
	burn(NULL);
	pthread_join(id, NULL);
}

/* A thread for which no timer can be had. */
static void
refused(void)
{
	take(SMALL);
	no_more_timers();
	beside(burn);
}

static void
take_roomy(int sig)
{
	(void)sig;
	take(ROOMY);
}

/* A stack that a handler set ends with it: the small one is there again. */
static void
returned(void)
{
	handle(SIGUSR1, take_roomy, 0);
	take(SMALL);
	raise(SIGUSR1);
	burn(NULL);
}

static void
burn_and_jump(int sig)
{
	(void)sig;
	load_burn(0.05);
	longjmp(back, 1);
}

/* A tick that waited for the handler's end, which was none. */
static void
jumped(void)
{
	sigset_t now;

	load_burn(0.05);
	handle(SIGUSR1, burn_and_jump, SA_ONSTACK);
	if (setjmp(back) == 0)
		raise(SIGUSR1);
	take(SMALL);
	sigprocmask(SIG_BLOCK, NULL, &now);
	burn(NULL);
}

/* Its parent had one of its own, so that there was none of ours. */
static void
forked(void)
{
	int status = 0;

	take(ROOMY);
	if (fork() == 0) {
		load_burn(0.05);
		take(SMALL);
		burn(NULL);
		_exit(0);
	}
	LOAD_TRY(wait(&status));
	if (status != 0)
		exit(1);
}

static void *
toggle(void *unused)
{
	int i;

	for (i = 0; i < 400; i++) {
		take(ROOMY);
		take(SMALL);
	}
	return burn(unused);
}

/* Another thread moves the ticks to another signal. */
static void
moved(void)
{
	const struct timespec ms = { 0, 1000000 };
	pthread_t id[3];
	int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&id[i], NULL, toggle, NULL) != 0)
			load_die("pthread_create");
	nanosleep(&ms, NULL);
	signal(SIGPROF, nothing);
	for (i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
}

static void
in_helper(union sigval value)
{
	sigset_t none;

	(void)value;
	take(SMALL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	load_burn(1.5);		/* a scan finds it */
	done = 1;
}

/* A thread that libc made for itself. */
static void
helper(void)
{
	const struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } };
	struct sigevent ev;
	timer_t timer;

	memset(&ev, 0, sizeof(ev));
	ev.sigev_notify = SIGEV_THREAD;
	ev.sigev_notify_function = in_helper;
	LOAD_TRY(timer_create(CLOCK_MONOTONIC, &ev, &timer));
	LOAD_TRY(timer_settime(timer, 0, &soon, NULL));
	while (!done)
		load_burn(0.05);
}

static void
take_roomy_and_fork(int sig)
{
	(void)sig;
	take(ROOMY);
	child = fork();
}

/* The handler's return brings the small one back in the child too. */
static void
inherited(void)
{
	int status = 0;

	handle(SIGUSR1, take_roomy_and_fork, 0);
	take(SMALL);
	raise(SIGUSR1);
	if (child == 0) {
		burn(NULL);
		_exit(0);
	}
	LOAD_TRY(wait(&status));
	if (status != 0)
		exit(1);
}

static void
dig(int sig)
{
	volatile char deep[4 * SMALL];
	unsigned i;

	(void)sig;
	for (i = 0; i < sizeof(deep); i++)
		deep[i] = 1;
	done++;
}

static void *
wait_on_small(void *unused)
{
	take(SMALL);
	ready = 1;
	while (!done)
		usleep(1000);
	return unused;
}

/* A handler that was not to run there, in a thread that has such a stack. */
static void
elsewhere(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, wait_on_small, NULL) != 0)
		load_die("pthread_create");
	while (!ready)
		usleep(1000);
	handle(SIGPROF, dig, SA_RESTART);
	pthread_kill(id, SIGPROF);
	pthread_join(id, NULL);
}

static void *
wait_for_move(void *unused)
{
	sigset_t prof;

	load_burn(0.1);
	ready = 1;
	while (!done)
		;
	sigemptyset(&prof);
	sigaddset(&prof, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &prof, NULL);
	load_burn(0.02);	/* the fine clock sends what it did before */
	take(SMALL);
	pthread_sigmask(SIG_UNBLOCK, &prof, NULL);
	return burn(unused);
}

static void
late(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, wait_for_move, NULL) != 0)
		load_die("pthread_create");
	while (!ready)
		usleep(1000);
	handle(SIGPROF, nothing, 0);
	done = 1;
	pthread_join(id, NULL);
}

static int
share(void *unused)
{
	take(SMALL);
	load_burn(1.5);
	done = 1;
	(void)unused;
	return 0;
}

/* A thread with the thread-local memory of another. */
static void
sharer(void)
{
	static char own[ROOMY];

	LOAD_TRY(clone(share, own + sizeof(own), CLONE_VM | CLONE_FS |
	    CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL));
	while (!done)
		load_burn(0.05);
}

static void *
try_often(void *unused)
{
	stack_t s = { 0 };
	int i;

	s.ss_sp = stack;
	s.ss_size = 1024;
	for (i = 0; i < 1000; i++)
		if (sigaltstack(&s, NULL) == 0)
			exit(1);
	return burn(unused);
}

/* The kernel takes none as small as that: nothing has changed. */
static void
tried(void)
{
	no_more_timers();
	beside(try_often);
}

static void *
burn_on_small(void *unused)
{
	take(SMALL);
	return burn(unused);
}

/* A thread that comes behind a filter, which here allows all. */
static void
confined(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog filter = { 1, &all };

	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	beside(burn_on_small);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "refused", refused }, { "returned", returned },
		{ "jumped", jumped }, { "forked", forked },
		{ "moved", moved }, { "helper", helper }, { "tried", tried },
		{ "inherited", inherited }, { "elsewhere", elsewhere },
		{ "late", late }, { "sharer", sharer },
		{ "confined", confined },
	};
	unsigned i;

	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run();
			printf("%s done\n", argv[1]);
			return 0;
		}
	return 2;
}
