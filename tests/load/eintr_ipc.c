/* Context: load.  The calls of eintr.c that wait for a peer: queues,
 * semaphores, sockets. */
#include "eintr.h"

#include <mqueue.h>
#include <netinet/in.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>

static const struct timespec wait_time = { 0, EINTR_MS * 1000000 };
static const struct timeval wait_timeval = { 0, EINTR_MS * 1000 };
static int pair_fd[2], listen_fd, busy_fd, full_fd[2], queue, semaphores;
static mqd_t mq_empty, mq_full;

int
call_msgrcv(void)
{
	struct { long type; char text[8]; } m;

	return eintr_ended(msgrcv(queue, &m, sizeof(m.text), 0, 0), 8);
}

int
call_msgsnd(void)
{
	struct { long type; char text[8]; } m = { 1, "message" };

	load_sleep(EINTR_MS / 1e3);
	return eintr_ended(msgsnd(queue, &m, sizeof(m.text), 0), 0);
}

int
call_semtimedop(void)
{
	struct sembuf down = { 0, -1, 0 };

	return eintr_failed(semtimedop(semaphores, &down, 1, &wait_time), EAGAIN);
}

int
call_semop(void)
{
	struct sembuf down = { 1, -1, 0 };

	return eintr_ended(semop(semaphores, &down, 1), 0);
}

int
call_semop_up(void)
{
	struct sembuf up = { 1, 1, 0 };

	load_sleep(EINTR_MS / 1e3);
	return eintr_ended(semop(semaphores, &up, 1), 0);
}

int
call_recv(void)
{
	char c;

	return eintr_failed(recv(pair_fd[0], &c, 1, 0), EAGAIN);
}

int
call_recvfrom(void)
{
	char c;

	return eintr_failed(recvfrom(pair_fd[0], &c, 1, 0, NULL, NULL), EAGAIN);
}

int
call_recvmsg(void)
{
	char c;
	struct iovec v = { &c, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	return eintr_failed(recvmsg(pair_fd[0], &m, 0), EAGAIN);
}

int
call_recvmmsg(void)
{
	char c;
	struct iovec v = { &c, 1 };
	struct mmsghdr m = { .msg_hdr = { .msg_iov = &v, .msg_iovlen = 1 } };

	return eintr_failed(recvmmsg(pair_fd[0], &m, 1, 0, NULL), EAGAIN);
}

int
call_send(void)
{
	return eintr_failed(send(full_fd[0], "x", 1, 0), EAGAIN);
}

int
call_sendmsg(void)
{
	struct iovec v = { (char *)"x", 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	return eintr_failed(sendmsg(full_fd[0], &m, 0), EAGAIN);
}

int
call_accept(void)
{
	return eintr_failed(accept(listen_fd, NULL, NULL), EAGAIN);
}

/* Nobody accepts: past the first, a connect waits until SO_SNDTIMEO. */
int
call_connect(void)
{
	struct sockaddr_in a;
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0), r;

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait_timeval,
	    sizeof(wait_timeval));
	getsockname(busy_fd, (struct sockaddr *)&a, &n);
	r = connect(fd, (struct sockaddr *)&a, n);
	r = r == 0 ? 0 : errno == EINPROGRESS || errno == EAGAIN ? 0 : errno;
	close(fd);
	return r;
}

int
call_mq_timedreceive(void)
{
	struct timespec t = eintr_soon();
	char text[8];

	return eintr_failed(mq_timedreceive(mq_empty, text, 8, NULL, &t), ETIMEDOUT);
}

int
call_mq_timedsend(void)
{
	struct timespec t = eintr_soon();

	return eintr_failed(mq_timedsend(mq_full, "x", 1, 0, &t), ETIMEDOUT);
}

static void
timeouts(int fd, int name)
{
	LOAD_TRY(setsockopt(fd, SOL_SOCKET, name, &wait_timeval,
	    sizeof(wait_timeval)));
}

static void
fill(int fd)
{
	char block[4096] = { 0 };

	while (send(fd, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
	while (send(fd, block, 1, MSG_DONTWAIT) > 0)
		;
}

static mqd_t
message_queue(int full)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	char name[64];
	mqd_t q;

	snprintf(name, sizeof(name), "/eintr-%d-%d", (int)getpid(), full);
	q = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	LOAD_TRY(q);
	mq_unlink(name);
	if (full)
		mq_send(q, "x", 1, 0);
	return q;
}

static int
listener(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd;

	LOAD_TRY(fd = socket(AF_INET, SOCK_STREAM, 0));
	LOAD_TRY(bind(fd, (struct sockaddr *)&a, sizeof(a)));
	LOAD_TRY(listen(fd, 0));
	return fd;
}

void
eintr_ipc_init(void)
{
	LOAD_TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, pair_fd));
	LOAD_TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, full_fd));
	timeouts(pair_fd[0], SO_RCVTIMEO);
	timeouts(full_fd[0], SO_SNDTIMEO);
	fill(full_fd[0]);
	listen_fd = listener();
	busy_fd = listener();
	timeouts(listen_fd, SO_RCVTIMEO);
	LOAD_TRY(queue = msgget(IPC_PRIVATE, 0600));
	LOAD_TRY(semaphores = semget(IPC_PRIVATE, 2, 0600));
	mq_empty = message_queue(0);
	mq_full = message_queue(1);
}

/* They would outlive the process. */
void
eintr_ipc_fini(void)
{
	msgctl(queue, IPC_RMID, NULL);
	semctl(semaphores, 0, IPC_RMID);
}
