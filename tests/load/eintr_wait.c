/* Context: load.  The calls of eintr.c that wait for time, an event or a
 * signal. */
#include "eintr.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

static const struct timespec wait_time = { 0, EINTR_MS * 1000000 };
static int pipe_fd[2], epoll_fd, inotify_fd;
static aio_context_t aio;
static sem_t sem;
static pthread_t waiter;
static volatile int waiting;

static struct pollfd
never(void)
{
	return (struct pollfd){ .fd = pipe_fd[0], .events = POLLIN };
}

int
call_poll(void)
{
	struct pollfd p = never();

	return eintr_ended(poll(&p, 1, EINTR_MS), 0);
}

int
call_ppoll(void)
{
	struct pollfd p = never();
	sigset_t none;

	sigemptyset(&none);
	return eintr_ended(ppoll(&p, 1, &wait_time, &none), 0);
}

int
call_select(void)
{
	struct timeval t = { 0, EINTR_MS * 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipe_fd[0], &set);
	return eintr_ended(select(pipe_fd[0] + 1, &set, NULL, NULL, &t), 0);
}

int
call_pselect(void)
{
	sigset_t none;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipe_fd[0], &set);
	sigemptyset(&none);
	return eintr_ended(pselect(pipe_fd[0] + 1, &set, NULL, NULL, &wait_time,
	    &none), 0);
}

int
call_epoll_wait(void)
{
	struct epoll_event e;

	return eintr_ended(epoll_wait(epoll_fd, &e, 1, EINTR_MS), 0);
}

int
call_epoll_pwait(void)
{
	struct epoll_event e;
	sigset_t none;

	sigemptyset(&none);
	return eintr_ended(epoll_pwait(epoll_fd, &e, 1, EINTR_MS, &none), 0);
}

int
call_epoll_pwait2(void)
{
	struct epoll_event e;
	int r = epoll_pwait2(epoll_fd, &e, 1, &wait_time, NULL);

	return r < 0 && errno == ENOSYS ? 0 : eintr_ended(r, 0);
}

int
call_nanosleep(void)
{
	return eintr_ended(nanosleep(&wait_time, NULL), 0);
}

int
call_clock_nanosleep(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &wait_time, NULL);
}

int
call_clock_nanosleep_abs(void)
{
	struct timespec t = eintr_soon();

	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
}

int
call_usleep(void)
{
	return eintr_ended(usleep(EINTR_MS * 1000), 0);
}

int
call_sleep(void)
{
	return sleep(1) == 0 ? 0 : EINTR;
}

int
call_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return eintr_failed(sigtimedwait(&set, NULL, &wait_time), EAGAIN);
}

int
call_sigwaitinfo(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	waiter = pthread_self();
	waiting = 1;
	return eintr_ended(sigwaitinfo(&set, NULL), SIGUSR1);
}

/* The other half of sigwaitinfo: one signal for each wait. */
int
call_pthread_kill(void)
{
	load_sleep(EINTR_MS / 1e3);
	if (!waiting)
		return 0;
	waiting = 0;
	return pthread_kill(waiter, SIGUSR1);
}

int
call_io_getevents(void)
{
	struct timespec t = wait_time;
	struct io_event e;

	return eintr_ended(syscall(SYS_io_getevents, aio, 1, 1, &e, &t), 0);
}

int
call_futex(void)
{
	static int word;

	return eintr_failed(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0,
	    &wait_time, NULL, 0), ETIMEDOUT);
}

int
call_sem_timedwait(void)
{
	struct timespec t = eintr_soon();

	return eintr_failed(sem_timedwait(&sem, &t), ETIMEDOUT);
}

/* inotify and timerfd reads: restarted only with SA_RESTART. */
int
call_read_timerfd(void)
{
	struct itimerspec t = { { 0, 0 }, wait_time };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), r;
	uint64_t n;

	timerfd_settime(fd, 0, &t, NULL);
	r = eintr_ended(read(fd, &n, sizeof(n)), sizeof(n));
	close(fd);
	return r;
}

int
call_poll_inotify(void)
{
	struct pollfd p = { .fd = inotify_fd, .events = POLLIN };

	return eintr_ended(poll(&p, 1, EINTR_MS), 0);
}

/* Long in the kernel, not asleep: poll of many descriptors. */
int
call_poll_many(void)
{
	static struct pollfd p[4000];
	int i;

	for (i = 0; i < 4000; i++)
		p[i] = never();
	return eintr_ended(poll(p, 900, 1), 0);
}

void
eintr_wait_init(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	LOAD_TRY(pipe(pipe_fd));
	LOAD_TRY(epoll_fd = epoll_create1(0));
	LOAD_TRY(inotify_fd = inotify_init1(0));
	LOAD_TRY(syscall(SYS_io_setup, 4, &aio));
	sem_init(&sem, 0, 0);
}
