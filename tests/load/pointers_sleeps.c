/*
 * Context: load.  Functions in which a thread sleeps, for pointers.c.  Each
 * finds what it waits for, so that it also stores a result.
 */
#include "pointers.h"

#include "load.h"

#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char text[] = "seven b";
static struct timespec brief = {0, 1000000}, past = {1, 0}, rest;
static struct timespec too_long = {0, 1000000000};
static struct timeval second = {1, 0};
static struct pollfd ready[2] = {{0, POLLIN, 0}, {-1, POLLIN, 0}};
static fd_set first = {{1}};
static struct epoll_event events[2];
static char room[sizeof(text)];
static struct sockaddr_un from;
static socklen_t from_length = sizeof(from);
static struct iovec vector = {room, sizeof(room)};
static struct iovec bad_vector = {(void *)8, sizeof(room)};
static struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
static struct msghdr bad_message = {.msg_iov = &bad_vector, .msg_iovlen = 1};
static struct msghdr bad_name = {.msg_iov = &vector, .msg_iovlen = 1,
	.msg_name = (void *)8, .msg_namelen = sizeof(from)};
static sem_t one, none;

/* These are declared by <bits/poll2.h> and its like with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size);
ssize_t __read_chk(int fd, void *buffer, size_t n, size_t size);
ssize_t __recv_chk(int fd, void *buffer, size_t n, size_t size, int flags);
ssize_t __recvfrom_chk(int fd, void *buffer, size_t n, size_t size, int flags,
    struct sockaddr *address, socklen_t *length);

/*
 * Returns a socket that has the text to be read, or, if that is asked for, that
 * listens and has a caller.
 */
static int
filled(bool listens)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int ends[2];

	if (!listens) {
		if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0 ||
		    write(ends[1], text, sizeof(text)) < 0)
			_exit(99);
		return ends[0];
	}
	ends[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	ends[1] = socket(AF_UNIX, SOCK_STREAM, 0);
	/* The kernel chooses the address, which nobody else has. */
	from_length = sizeof(from);
	if (bind(ends[0], (void *)&name, sizeof(sa_family_t)) != 0 ||
	    listen(ends[0], 1) != 0 ||
	    getsockname(ends[0], (void *)&from, &from_length) != 0 ||
	    connect(ends[1], (void *)&from, from_length) != 0)
		_exit(99);
	return ends[0];
}

/* Returns an epoll descriptor one of whose files can be read. */
static int
eventful(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = epoll_create1(0);

	event.data.u64 = 0x1122334455667788;
	if (epoll_ctl(fd, EPOLL_CTL_ADD, eventfd(1, 0), &event) != 0)
		_exit(99);
	return fd;
}

/* Puts a file that can be read in place of descriptor 0. */
static void
ready_zero(void)
{
	if (dup2(eventfd(1, 0), 0) != 0)
		_exit(99);
}

#define CALL(name, call)						\
static long								\
name(void *const *p)							\
{									\
	return call;							\
}
CALL(nano, nanosleep(p[0], p[1]))
CALL(nano_clock, clock_nanosleep(CLOCK_MONOTONIC, 0, p[0], p[1]))
CALL(nano_until, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, p[0], p[1]))
CALL(nano_odd, clock_nanosleep(77, 0, p[0], p[1]))
CALL(poll_one, (ready_zero(), poll(p[0], 2, 1)))
CALL(poll_checked, (ready_zero(),
    __poll_chk(p[0], 2, 1, 2 * sizeof(*ready))))
CALL(poll_many, poll(p[0], 1 << 30, 1))
CALL(select_one, (ready_zero(), select(1, p[0], p[1], p[2], p[3])))
CALL(select_odd, select(-1, p[0], p[1], p[2], p[3]))
CALL(epoll_one, epoll_wait(eventful(), p[0], 2, 1))
CALL(epoll_odd, epoll_wait(eventful(), p[0], 0, 1))
CALL(epoll_bad, epoll_wait(-1, p[0], 2, 1))
CALL(read_text, read(filled(false), p[0], sizeof(text)))
CALL(read_checked, __read_chk(filled(false), p[0], sizeof(text),
    sizeof(text)))
CALL(read_bad, read(-1, p[0], sizeof(text)))
CALL(receive, recv(filled(false), p[0], sizeof(text), 0))
CALL(receive_checked, __recv_chk(filled(false), p[0], sizeof(text),
    sizeof(text), 0))
CALL(receive_from, recvfrom(filled(false), p[0], sizeof(text), 0, p[1], p[2]))
CALL(receive_from_checked, __recvfrom_chk(filled(false), p[0], sizeof(text),
    sizeof(text), 0, p[1], p[2]))
CALL(receive_message, recvmsg(filled(false), p[0], 0))
CALL(accept_one, accept(filled(true), p[0], p[1]) < 0 ? -1 : 0)
CALL(accept_flags, accept4(filled(true), p[0], p[1], SOCK_CLOEXEC) < 0 ?
    -1 : 0)
CALL(accept_odd, accept4(filled(true), p[0], p[1], 0x7777))
CALL(wait_sem, sem_wait(p[0]))
CALL(wait_sem_until, sem_timedwait(p[0], p[1]))
CALL(wait_sem_clock, sem_clockwait(p[0], CLOCK_MONOTONIC, p[1]))
CALL(wait_sem_odd, sem_clockwait(p[0], 77, p[1]))

static long
short_sleeps(void *const *p)
{
	(void)p;
	return usleep(1) + (long)sleep(0) * 10;
}

#define TEXT {room, sizeof(room), sizeof(room), false}
#define SLEEP {LIKE(brief), LIKE(rest)}
#define SELECT {GOOD(first, 8), LIKE(first), LIKE(first), LIKE(second)}
#define FROM {TEXT, LIKE(from), LIKE(from_length)}
#define ACCEPT {LIKE(from), LIKE(from_length)}

const struct pointers_call pointers_sleeps[] = {
	{"nanosleep", nano, SLEEP},
	{"nanosleep_odd", nano, {LIKE(too_long), LIKE(rest)}},
	{"clock_nanosleep", nano_clock, SLEEP},
	{"clock_nanosleep_until", nano_until, {LIKE(past), LIKE(rest)}},
	{"clock_nanosleep_odd", nano_odd, SLEEP},
	{"usleep", short_sleeps, {{0}}},
	{"poll", poll_one, {GOOD(ready, sizeof(ready))}},
	{"poll_checked", poll_checked, {GOOD(ready, sizeof(ready))}},
	{"poll_many", poll_many, {LIKE(ready)}},
	{"select", select_one, SELECT},
	{"select_odd", select_odd, SELECT},
	{"epoll_wait", epoll_one, {GOOD(events, 12)}},
	{"epoll_wait_odd", epoll_odd, {LIKE(events)}},
	{"epoll_wait_bad", epoll_bad, {LIKE(events)}},
	{"read", read_text, {TEXT}},
	{"read_checked", read_checked, {TEXT}},
	{"read_bad", read_bad, {TEXT}},
	{"recv", receive, {TEXT}},
	{"recv_checked", receive_checked, {TEXT}},
	{"recvfrom", receive_from, FROM},
	{"recvfrom_checked", receive_from_checked, FROM},
	{"recvmsg", receive_message, {LIKE(message)}},
	{"recvmsg_vector", receive_message, {LIKE(bad_message)}},
	{"recvmsg_name", receive_message, {LIKE(bad_name)}},
	{"accept", accept_one, ACCEPT},
	{"accept4", accept_flags, ACCEPT},
	{"accept4_odd", accept_odd, ACCEPT},
	{"sem_wait", wait_sem, {LIKE(one)}},
	{"sem_timedwait", wait_sem_until, {LIKE(none), LIKE(past)}},
	{"sem_clockwait", wait_sem_clock, {LIKE(none), LIKE(past)}},
	{"sem_clockwait_odd", wait_sem_odd, {LIKE(none), LIKE(past)}},
	{NULL, NULL, {{0}}},
};

/* A semaphore's bytes are libc's own. */
__attribute__((constructor)) static void
make_semaphores(void)
{
	sem_init(&one, 0, 1);
	sem_init(&none, 0, 0);
}
