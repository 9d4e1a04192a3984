/* Context: load.  Works in bursts that begin just behind a tick of the
 * scheduler and end before the next one, and sleeps in between in a function
 * that is chosen.  Prints the CPU time of each part, by the thread's clock. */
#include "load.h"
#include "part.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>

PART(part_a, 1)
PART(part_b, 3)

#define BEHIND	0.0003		/* of the tick, in s */
#define BURST	0.0012

static double spent[2], rounds, next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static sigset_t alarms, none;
static int queue, timer;

static void
timed(int part, uint64_t (*run)(uint64_t), uint64_t n)
{
	const double start = load_clock(CLOCK_THREAD_CPUTIME_ID);

	run(n);
	spent[part] += load_clock(CLOCK_THREAD_CPUTIME_ID) - start;
}

static void
burst(void)
{
	timed(0, part_a, (uint64_t)(rounds * 0.6));
	timed(1, part_b, (uint64_t)(rounds * 0.4));
}

/* The facts that the program needs before the first burst. */
struct facts {
	double rate;
	double tick;	/* when the scheduler's tick was, CLOCK_MONOTONIC */
};

static double
find_tick(void)
{
	const double start = load_clock(CLOCK_MONOTONIC_COARSE);

	while (load_clock(CLOCK_MONOTONIC_COARSE) == start)
		;
	return load_clock(CLOCK_MONOTONIC);
}

/* Measures in a child, because a tick would see the process that measures. */
static struct facts
find(void)
{
	struct facts f;
	int fd[2], status;
	pid_t pid;

	LOAD_TRY(pipe(fd));
	LOAD_TRY(pid = fork());
	if (pid == 0) {
		f.rate = load_rate(part_a);
		f.tick = find_tick();
		_exit(write(fd[1], &f, sizeof f) != sizeof f);
	}
	LOAD_TRY(waitpid(pid, &status, 0));
	if (status != 0 || read(fd[0], &f, sizeof f) != sizeof f)
		load_die("child");
	return f;
}

static struct timespec
spec(double s)
{
	return (struct timespec){ (time_t)s,
	    (long)((s - (double)(time_t)s) * 1e9) };
}

static struct timespec
left(void)
{
	double s = next - load_clock(CLOCK_MONOTONIC);

	return spec(s > 1e-6 ? s : 1e-6);
}

static void
alarm_in_time(void)
{
	struct timespec t = left();
	struct itimerval v = { {0, 0}, {t.tv_sec, t.tv_nsec / 1000 + 1} };

	LOAD_TRY(setitimer(ITIMER_REAL, &v, NULL));
}

static void
by_timedwait(void)
{
	struct timespec t = spec(next);

	pthread_mutex_lock(&lock);
	while (pthread_cond_timedwait(&cond, &lock, &t) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&lock);
}

static void
by_ppoll(void)
{
	struct timespec t = left();

	ppoll(NULL, 0, &t, NULL);
}

static void
by_pselect(void)
{
	struct timespec t = left();

	pselect(0, NULL, NULL, NULL, &t, NULL);
}

static void
by_epoll_pwait(void)
{
	struct itimerspec t = { {0, 0}, left() };
	struct epoll_event e;

	LOAD_TRY(timerfd_settime(timer, 0, &t, NULL));
	LOAD_TRY(epoll_pwait(queue, &e, 1, -1, NULL));
}

static void
by_sigtimedwait(void)
{
	struct timespec t = left();

	sigtimedwait(&alarms, NULL, &t);
}

static void
by_sigwait(void)
{
	int sig;

	alarm_in_time();
	sigwait(&alarms, &sig);
}

static void
by_sigsuspend(void)
{
	alarm_in_time();
	sigsuspend(&none);
}

static void
by_syscall(void)
{
	struct timespec t = spec(next);

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* Sleeps by an instruction of its own; it calls no function. */
static void
by_itself(void)
{
	struct timespec t = spec(next);
	const long call = SYS_clock_nanosleep;
#if defined(__x86_64__)
	register long fourth __asm__("r10") = 0;
	long ret = call;

	__asm__ volatile ("syscall" : "+a"(ret) : "D"((long)CLOCK_MONOTONIC),
	    "S"((long)TIMER_ABSTIME), "d"(&t), "r"(fourth) : "rcx", "r11",
	    "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = call;
	register long first __asm__("x0") = CLOCK_MONOTONIC;
	register long second __asm__("x1") = TIMER_ABSTIME;
	register void *third __asm__("x2") = &t;
	register long fourth __asm__("x3") = 0;

	__asm__ volatile ("svc #0" : "+r"(first) : "r"(number), "r"(second),
	    "r"(third), "r"(fourth) : "memory");
#else
	syscall(call, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
#endif
}

static void
by_thrd_sleep(void)
{
	struct timespec t = left();

	thrd_sleep(&t, NULL);
}

static const struct {
	const char *name;
	void (*sleep)(void);
} kinds[] = {
	{ "timedwait", by_timedwait },
	{ "ppoll", by_ppoll },
	{ "pselect", by_pselect },
	{ "epoll_pwait", by_epoll_pwait },
	{ "sigtimedwait", by_sigtimedwait },
	{ "sigwait", by_sigwait },
	{ "sigsuspend", by_sigsuspend },
	{ "syscall", by_syscall },
	{ "thrd_sleep", by_thrd_sleep },
	{ "itself", by_itself },
};

static void
on_alarm(int sig)
{
	(void)sig;
}

static void
prepare(void)
{
	struct sigaction a = { .sa_handler = on_alarm };
	struct epoll_event e = { .events = EPOLLIN };
	pthread_condattr_t attr;

	LOAD_TRY(sigaction(SIGALRM, &a, NULL));
	sigaddset(&alarms, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarms, &none);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&cond, &attr);
	LOAD_TRY(queue = epoll_create1(EPOLL_CLOEXEC));
	LOAD_TRY(timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
	LOAD_TRY(epoll_ctl(queue, EPOLL_CTL_ADD, timer, &e));
}

/* sleeps SECONDS KIND */
int
main(int argc, char **argv)
{
	const double seconds = load_number(argc, argv, 1, 1);
	const char *name = argc > 2 ? argv[2] : "";
	void (*sleep)(void) = NULL;
	struct timespec t;
	double end, period;
	struct facts f;
	unsigned i;

	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i].name, name) == 0)
			sleep = kinds[i].sleep;
	if (sleep == NULL)
		load_die(name);
	prepare();
	f = find();
	rounds = f.rate * BURST;
	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	for (period = 1e-9 * (double)t.tv_nsec; period < 2 * BURST;)
		period *= 2;
	end = f.tick + seconds;
	for (next = f.tick + BEHIND; next < end; next += period) {
		if (load_clock(CLOCK_MONOTONIC) >= next)
			continue;	/* somebody else had the processor */
		while (load_clock(CLOCK_MONOTONIC) < next)
			sleep();
		burst();
	}
	printf("part_a %.6f\npart_b %.6f\n", spent[0], spent[1]);
	return 0;
}
