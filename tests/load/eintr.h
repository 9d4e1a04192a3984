/* Context: load.  The calls of eintr.c: each returns 0 when it ended as it
 * must, else the errno, or -1 for an end that has none. */
#ifndef EINTR_H
#define EINTR_H

#include "load.h"

#define EINTR_MS 3	/* what each of them waits */

#define EINTR_CALLS(X) \
	X(poll) X(ppoll) X(select) X(pselect) X(epoll_wait) X(epoll_pwait) \
	X(epoll_pwait2) X(nanosleep) X(clock_nanosleep) \
	X(clock_nanosleep_abs) X(usleep) X(sleep) X(msgrcv) X(msgsnd) \
	X(semtimedop) X(semop) X(semop_up) X(sigtimedwait) X(sigwaitinfo) \
	X(pthread_kill) X(io_getevents) X(futex) X(sem_timedwait) X(recv) \
	X(recvfrom) X(recvmsg) X(recvmmsg) X(send) X(sendmsg) X(accept) \
	X(connect) X(mq_timedreceive) X(mq_timedsend) X(read_timerfd) \
	X(poll_inotify) X(poll_many)

#define EINTR_DECLARE(name) int call_##name(void);
EINTR_CALLS(EINTR_DECLARE)
#undef EINTR_DECLARE

void eintr_wait_init(void);
void eintr_ipc_init(void);
void eintr_ipc_fini(void);

static inline int
eintr_ended(long r, long wanted)
{
	return r == wanted ? 0 : r < 0 ? errno : -1;
}

static inline int
eintr_failed(long r, int wanted)
{
	return r >= 0 ? -1 : errno == wanted ? 0 : errno;
}

static inline struct timespec
eintr_time(void)
{
	return (struct timespec){ 0, EINTR_MS * 1000000 };
}

/* Returns that moment as a time of day. */
static inline struct timespec
eintr_soon(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += EINTR_MS * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

#endif
