/* Context: load.  same.c's calls that wait for signals or send them, and those
 * on timers and alternate stacks. */
#include "same.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

#define CALL(name) static long name(void)

static void
make_pending(int sig)
{
	sigset_t s = same_set(sig, 0);

	sigprocmask(SIG_BLOCK, &s, NULL);
	raise(sig);
}

static void
unmake(int sig)
{
	sigset_t s = same_set(sig, 0);

	sigprocmask(SIG_UNBLOCK, &s, NULL);
}

CALL(pending_usr1)
{
	sigset_t s;

	make_pending(SIGUSR1);
	sigpending(&s);
	printf("\tpending %#llx\n", (unsigned long long)same_bits(&s));
	unmake(SIGUSR1);
	return same_handled;
}

CALL(wait_usr1)
{
	sigset_t s = same_set(SIGUSR1, SIGUSR2);
	int sig = 0;
	long r;

	make_pending(SIGUSR1);
	r = sigwait(&s, &sig);
	unmake(SIGUSR1);
	return r * 100 + sig;
}

CALL(waitinfo_usr1)
{
	sigset_t s = same_set(SIGUSR1, 0);
	siginfo_t info;
	long r;

	make_pending(SIGUSR1);
	r = sigwaitinfo(&s, &info);
	printf("\tsigno %d code %d\n", info.si_signo, info.si_code);
	unmake(SIGUSR1);
	return r;
}

CALL(timedwait_none)
{
	sigset_t s = same_set(SIGUSR1, 0);
	struct timespec t = { 0, 2000000 };

	return sigtimedwait(&s, NULL, &t);
}

CALL(suspend_usr1)
{
	sigset_t none;

	sigemptyset(&none);
	make_pending(SIGUSR1);
	sigsuspend(&none);
	errno = errno == EINTR ? 77 : errno;
	unmake(SIGUSR1);
	return same_handled;
}

CALL(poll_with_mask)
{
	sigset_t none;
	struct timespec t = { 1, 0 };
	long r;

	sigemptyset(&none);
	make_pending(SIGUSR1);
	r = ppoll(NULL, 0, &t, &none);
	unmake(SIGUSR1);
	return r;
}

CALL(select_with_mask)
{
	sigset_t none;
	struct timespec t = { 1, 0 };
	long r;

	sigemptyset(&none);
	make_pending(SIGUSR1);
	r = pselect(0, NULL, NULL, NULL, &t, &none);
	unmake(SIGUSR1);
	return r;
}

CALL(epoll_with_mask)
{
	struct epoll_event e;
	sigset_t none;
	int fd = epoll_create1(0);
	long r;

	sigemptyset(&none);
	make_pending(SIGUSR1);
	errno = 77;
	r = epoll_pwait(fd, &e, 1, 1000, &none);
	unmake(SIGUSR1);
	close(fd);
	return r;
}

CALL(signalfd_usr1)
{
	sigset_t s = same_set(SIGUSR1, 0);
	struct signalfd_siginfo info;
	int fd = signalfd(-1, &s, SFD_NONBLOCK);
	long r;

	make_pending(SIGUSR1);
	r = read(fd, &info, sizeof(info));
	unmake(SIGUSR1);
	close(fd);
	return r * 100 + (long)info.ssi_signo;
}

CALL(itimer_real)
{
	struct itimerval t = { { 5, 0 }, { 500, 0 } }, off = { { 0, 0 }, { 0,
	    0 } };
	struct itimerval old;
	long r = setitimer(ITIMER_REAL, &t, NULL);

	setitimer(ITIMER_REAL, &off, &old);
	printf("\tinterval %ld\n", (long)old.it_interval.tv_sec);
	return r;
}

CALL(itimer_virtual)
{
	struct itimerval t = { { 50, 0 }, { 500, 0 } };

	return setitimer(ITIMER_VIRTUAL, &t, NULL);
}

CALL(itimer_virtual_off)
{
	struct itimerval off = { { 0, 0 }, { 0, 0 } };

	return setitimer(ITIMER_VIRTUAL, &off, NULL);
}

CALL(itimer_prof_query)
{
	struct itimerval t;
	long r = getitimer(ITIMER_PROF, &t);

	printf("\tprof %ld %ld\n", (long)t.it_value.tv_sec,
	    (long)t.it_interval.tv_sec);
	return r;
}

CALL(itimer_bad) { return setitimer((__itimer_which_t)9, NULL, NULL); }

CALL(timer_none)
{
	struct sigevent e = { .sigev_notify = SIGEV_NONE };
	timer_t id;
	long r = timer_create(CLOCK_MONOTONIC, &e, &id);

	return r == 0 ? timer_delete(id) : r;
}

CALL(timer_usr1)
{
	struct sigevent e = { .sigev_notify = SIGEV_SIGNAL,
	    .sigev_signo = SIGUSR1 };
	struct itimerspec t = { { 0, 0 }, { 0, 1000000 } };
	int before = same_handled;
	timer_t id;
	long r = timer_create(CLOCK_MONOTONIC, &e, &id);

	timer_settime(id, 0, &t, NULL);
	load_burn(0.01);
	timer_delete(id);
	return r * 1000 + same_handled - before;
}

CALL(timer_bad) { return timer_create(999, NULL, NULL); }

static char stack[65536];

CALL(stack_set)
{
	stack_t st = { .ss_sp = stack, .ss_size = sizeof(stack) };

	return sigaltstack(&st, NULL);
}

static volatile uintptr_t where;

static void
note_stack(int sig)
{
	(void)sig;
	where = (uintptr_t)__builtin_frame_address(0);
}

CALL(stack_used)
{
	struct sigaction a, old;

	memset(&a, 0, sizeof(a));
	a.sa_handler = note_stack;
	a.sa_flags = SA_ONSTACK;
	sigaction(SIGWINCH, &a, &old);
	raise(SIGWINCH);
	sigaction(SIGWINCH, &old, NULL);
	return where >= (uintptr_t)stack &&
	    where < (uintptr_t)stack + sizeof(stack);
}

CALL(stack_small)
{
	stack_t st = { .ss_sp = stack, .ss_size = 512 };

	return sigaltstack(&st, NULL);
}

CALL(stack_off)
{
	stack_t st = { .ss_flags = SS_DISABLE }, old;
	long r = sigaltstack(&st, &old);

	printf("\told size %zu %s\n", old.ss_size,
	    old.ss_sp == stack ? "mine" : "foreign");
	return r;
}

/*
 * Without an alternate stack of its own SA_ONSTACK means the usual one, and a
 * handler may be as deep as that allows.  Under libmon it may be on another
 * (doc/design/threads.md, Limits): no less deep for what handlers do.
 */
static volatile sig_atomic_t deep_done;

static void
go_deep(int sig)
{
	volatile char room[192 << 10];
	size_t i;

	(void)sig;
	for (i = 0; i < sizeof(room); i += 1024)
		room[i] = 1;
	deep_done = room[0];
}

CALL(stack_deep)
{
	struct sigaction a, old;

	memset(&a, 0, sizeof(a));
	a.sa_handler = go_deep;
	a.sa_flags = SA_ONSTACK;
	deep_done = 0;
	sigaction(SIGWINCH, &a, &old);
	raise(SIGWINCH);
	sigaction(SIGWINCH, &old, NULL);
	return deep_done;
}

CALL(jump_with_mask)
{
	sigset_t s = same_set(SIGPROF, SIGUSR2);
	static sigjmp_buf env;

	if (sigsetjmp(env, 1) == 0) {
		sigprocmask(SIG_BLOCK, &s, NULL);
		siglongjmp(env, 1);
	}
	return 0;
}

CALL(context_with_mask)
{
	static volatile int turn;
	ucontext_t u;
	sigset_t s;

	turn = 0;
	getcontext(&u);
	if (turn++ == 0) {
		sigprocmask(SIG_BLOCK, NULL, &s);
		printf("\tcontext mask %#llx real %#llx\n",
		    (unsigned long long)same_bits(&u.uc_sigmask),
		    (unsigned long long)same_bits(&s));
		setcontext(&u);
	}
	return turn;
}

CALL(raise_usr1) { raise(SIGUSR1); return same_handled; }
CALL(kill_usr1) { kill(getpid(), SIGUSR1); return same_handled; }
CALL(kill_nobody) { return kill(0x3fffffff, SIGUSR1); }
CALL(thread_kill) { pthread_kill(pthread_self(), SIGUSR1); return same_handled;
    }
CALL(queue_usr1)
{
	union sigval v = { .sival_int = 1 };

	sigqueue(getpid(), SIGUSR1, v);
	return same_handled;
}
CALL(raw_gettid) { return syscall(SYS_gettid) == gettid(); }
CALL(raw_bad) { return syscall(9999); }

/*
 * As libseccomp and systemd ask what the kernel can do; none comes into force.
 */
CALL(filter_probe) { return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL); }
CALL(filter_nowhere) { return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 8); }
CALL(filter_raw)
{
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, 8);
}
CALL(filter_actions)
{
	uint32_t action = SECCOMP_RET_LOG;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

#define ROW(name) { #name, name }
const struct same_call same_wait[] = {
	ROW(pending_usr1), ROW(wait_usr1), ROW(waitinfo_usr1),
	ROW(timedwait_none), ROW(suspend_usr1), ROW(poll_with_mask),
	ROW(select_with_mask), ROW(epoll_with_mask), ROW(signalfd_usr1),
	ROW(itimer_real), ROW(itimer_virtual), ROW(itimer_virtual_off),
	ROW(itimer_prof_query), ROW(itimer_bad), ROW(timer_none),
	ROW(timer_usr1), ROW(timer_bad), ROW(stack_set), ROW(stack_used),
	ROW(stack_small), ROW(stack_off), ROW(stack_deep),
	ROW(jump_with_mask), ROW(context_with_mask), ROW(raise_usr1),
	ROW(kill_usr1), ROW(kill_nobody), ROW(thread_kill), ROW(queue_usr1),
	ROW(raw_gettid), ROW(raw_bad), ROW(filter_probe), ROW(filter_nowhere),
	ROW(filter_raw), ROW(filter_actions),
	{ NULL, NULL },
};
