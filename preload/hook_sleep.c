/*
 * Context: T.  Hooks of functions in which a thread sleeps.  A call of one is
 * the last moment at which a thread can get a clock that does not depend on
 * when it wakes; doc/design/clocks.md.
 *
 * The names are in sleep_*.S, whose stubs call hook_sleep() by number, in any
 * process and in signal handlers, or hook_sleep_early() before relocation (from
 * another library's IFUNC resolver).
 */
#include "hook.h"
#include "base/thread_clock.h"

/*
 * In the order of sleep_*.S.  No pointers, because they would have to be
 * relocated.
 */
static const char names[][24] = {
	"nanosleep", "clock_nanosleep", "usleep", "sleep", "poll",
	"__poll_chk", "select", "epoll_wait", "read", "__read_chk", "recv",
	"__recv_chk", "recvfrom", "__recvfrom_chk", "recvmsg", "accept",
	"accept4", "sem_wait", "sem_timedwait", "sem_clockwait",
	"readv", "recvmmsg", "write", "writev", "send", "sendto", "sendmsg",
	"connect", "ioctl", "flock", "msgrcv", "msgsnd", "mq_receive",
	"mq_timedreceive", "mq_send", "semop", "semtimedop", "pause", "wait",
	"wait3", "wait4", "waitpid", "waitid", "sched_yield", "thrd_sleep",
	"pthread_cond_wait", "pthread_cond_timedwait",
	"pthread_cond_clockwait", "cnd_wait", "cnd_timedwait",
	"pthread_barrier_wait", "pthread_join", "thrd_join",
};

#define NAMES	(sizeof(names) / sizeof(names[0]))

/* libc's functions; NULL: not found yet.  The stubs jump through this table. */
void *sleep_real[NAMES] __attribute__((visibility("hidden")));

void *hook_sleep(unsigned number) __attribute__((visibility("hidden")));
void *hook_sleep_early(unsigned number) __attribute__((visibility("hidden")));

/*
 * Stands for a function that this libc lacks; no caller of it was linked with
 * this libc.
 */
static int
missing_function(void)
{
	errno = ENOSYS;
	return -1;
}

/*
 * Checks the clock of the calling thread and returns libc's function of that
 * number.  A signal handler may be the caller, so no lock is taken but by
 * dlsym(), for a function that real_find_next() does not find without it.
 */
void *
hook_sleep(unsigned number)
{
	void *function = sleep_real[number];

	if (function == NULL) {
		function = real_find_next(names[number]);
		if (function == NULL)
			function = (void *)missing_function;
		__atomic_store_n(&sleep_real[number], function,
		    __ATOMIC_RELEASE);
	}
	thread_clock_before_sleep();
	return function;
}

/*
 * Does what missing_function() does, but leaves errno alone: libc may not have
 * set up its thread-local storage yet.
 */
static int
missing_function_early(void)
{
	return -1;
}

/* Returns libc's function of that number while libmon is not relocated. */
void *
hook_sleep_early(unsigned number)
{
	void *function = real_find_unrelocated(names[number]);

	return function != NULL ? function : (void *)missing_function_early;
}
