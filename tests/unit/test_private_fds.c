/* Context: O.  Tests of core/hot/thread/private_fds.c. */
#include "target.h"
#include "thread/private_fds.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Two threads, but for the tests of one: there is somebody to hide from. */
static pthread_t idler;
static pthread_barrier_t idle;

static void *
wait_for_the_end(void *arg)
{
	pthread_barrier_wait(&idle);
	return arg;
}

static void
two_threads(void)
{
	target_init();
	pthread_barrier_init(&idle, NULL, 2);
	pthread_create(&idler, NULL, wait_for_the_end, NULL);
}

static void
one_again(void)
{
	pthread_barrier_wait(&idle);
	pthread_join(idler, NULL);
	target_fini();
}

TestSuite(private_fds, .init = two_threads, .fini = one_again);

/* Raw system calls only: libc does not know that thread. */
struct look {
	int pid, tid, fd;
	_Atomic(int) stage;
	const char *path;
};

static int
look(void *arg)
{
	struct look *l = arg;

	l->pid = sys_getpid();
	l->tid = sys_gettid();
	l->fd = sys_open(l->path, O_RDONLY, 0);
	return l->fd;
}

Test(private_fds, another_thread_of_this_process)
{
	struct look l = {.path = "/dev/null"};
	unsigned before = target_descriptors();

	private_fds_run(look, &l);
	cr_expect_eq(l.pid, getpid());
	cr_expect_neq(l.tid, gettid());
	cr_expect_neq(l.tid, 0);
	cr_assert_geq(l.fd, 0);
	/* It was left open: its table ended with it. */
	cr_expect_eq(target_descriptors(), before);
	cr_expect(private_fds_is_helper(l.tid));
	cr_expect_not(private_fds_is_helper(gettid()));
}

/* A program that counts its threads finds none too many. */
Test(private_fds, is_gone_when_it_returns)
{
	struct look l = {.path = "/dev/null"};
	char path[64];

	for (unsigned i = 0; i < 500; i++) {
		private_fds_run(look, &l);
		cr_assert_eq(tgkill(getpid(), l.tid, 0), -1, "turn %u", i);
		snprintf(path, sizeof path, "/proc/self/task/%d", l.tid);
		cr_assert_neq(access(path, F_OK), 0, "turn %u", i);
	}
}

/* A file that is open there is no other thread's, and takes no number from
 * them. */
static int
open_and_wait(void *arg)
{
	struct look *l = arg;

	l->tid = sys_gettid();
	for (unsigned i = 0; i < 5; i++)
		l->fd = sys_open(l->path, O_RDONLY, 0);
	atomic_store(&l->stage, 1);
	while (atomic_load(&l->stage) != 2)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	return 0;
}

static int number;
static unsigned during;

static void *
open_too(void *arg)
{
	struct look *l = arg;

	while (atomic_load(&l->stage) != 1)
		sched_yield();
	during = target_descriptors();
	number = open("/dev/null", O_RDONLY);
	atomic_store(&l->stage, 2);
	return NULL;
}

static int
hidden(void)
{
	unsigned before = target_descriptors();
	struct look l = {.path = "/proc/self/stat"};
	int lowest = open("/dev/null", O_RDONLY);
	pthread_t other;

	close(lowest);
	pthread_create(&other, NULL, open_too, &l);
	private_fds_run(open_and_wait, &l);
	pthread_join(other, NULL);
	if (l.fd < 0 || l.tid == gettid())
		return __LINE__;
	if (during != before)
		return __LINE__;
	if (number != lowest || fcntl(number, F_GETFD) == -1)
		return __LINE__;
	return target_descriptors() == before + 1 ? 0 : __LINE__;
}

static int
hidden_on_old_kernels(void)
{
	mon->pid = getpid();
	return target_forbid(SYS_close_range, TARGET_ANY, ENOSYS) != 0 ?
	    __LINE__ : hidden();
}

Test(private_fds, descriptors_that_nobody_sees)
{
	int line = hidden();

	cr_expect_eq(line, 0, "line %d", line);
	line = target_child(hidden_on_old_kernels);
	cr_expect_eq(line, 0, "old kernel: line %d", line);
}

/* The program's are not kept open there: pipes end when it closes them. */
static int
look_at_theirs(void *fd)
{
	return (int)SYS(fcntl, *(int *)fd, F_GETFD, 0, 0, 0, 0);
}

Test(private_fds, descriptors_of_the_program)
{
	int fd = open("/dev/null", O_RDONLY);

	cr_expect_eq(private_fds_run(look_at_theirs, &fd), -EBADF);
	cr_expect_neq(fcntl(fd, F_GETFD), -1);
}

/* Its changes of memory are seen here; the stack of the caller is whole. */
static int
add(void *arg)
{
	unsigned char deep[8192];

	for (unsigned i = 0; i < sizeof deep; i++)
		((volatile unsigned char *)deep)[i] = 0xee;
	return (int)++*(unsigned *)arg;
}

Test(private_fds, results)
{
	volatile unsigned guard[64];
	unsigned n = 0;

	for (unsigned i = 0; i < 64; i++)
		guard[i] = i;
	for (unsigned i = 0; i < 100; i++)
		cr_assert_eq(private_fds_run(add, &n), (int)i + 1);
	cr_expect_eq(n, 100);
	for (unsigned i = 0; i < 64; i++)
		cr_assert_eq(guard[i], i);
}

Test(private_fds, only_the_last_are_noted)
{
	struct look l = {.path = "/dev/null"};
	int first;

	private_fds_run(look, &l);
	first = l.tid;
	for (unsigned i = 0; i < PRIVATE_FDS_HELPERS - 1; i++)
		private_fds_run(look, &l);
	cr_expect(private_fds_is_helper(first));
	private_fds_run(look, &l);
	cr_expect_not(private_fds_is_helper(first));
	cr_expect(private_fds_is_helper(l.tid));
}

/* Each thread may at once. */
static void *
many(void *arg)
{
	for (unsigned i = 0; i < 500; i++)
		private_fds_run(add, arg);
	return NULL;
}

Test(private_fds, from_many_threads, .timeout = 60)
{
	unsigned n[4] = {0};
	pthread_t thread[4];

	for (unsigned i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, many, &n[i]);
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		cr_expect_eq(n[i], 500);
	}
}

static int
without_clone(void)
{
	struct look l = {.path = "/dev/null"};

	if (target_forbid(SYS_clone, TARGET_ANY, EAGAIN) != 0)
		return __LINE__;
	if (private_fds_run(look, &l) != l.fd)
		return __LINE__;
	if (l.tid != gettid() || l.fd < 0)
		return __LINE__;
	return private_fds_is_helper(gettid()) ? __LINE__ : 0;
}

Test(private_fds, where_no_thread_can_be_had)
{
	int line = target_child(without_clone);

	cr_expect_eq(line, 0, "line %d", line);
}
