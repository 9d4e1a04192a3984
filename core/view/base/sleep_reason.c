/*
 * Context: O.  Tells by a function's name for what a thread sleeps, for
 * sleep_cause.c and lock_finding.c; see sleep_reason.h.
 */
#include "base/sleep_reason.h"

#include "symbol/library_name.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	enum sleep_reason reason;
} functions[] = {
	{ "futex_wait", SLEEP_FUTEX },
	{ "futex_abstimed_wait_common", SLEEP_FUTEX },
	{ "futex_abstimed_wait_common64", SLEEP_FUTEX },
	{ "futex_abstimed_wait_cancelable64", SLEEP_FUTEX },
	{ "lll_lock_wait", SLEEP_LOCK },
	{ "lll_lock_wait_private", SLEEP_LOCK },
	{ "lll_mutex_lock_wait", SLEEP_LOCK },
	{ "pthread_mutex_lock", SLEEP_LOCK },
	{ "pthread_mutex_timedlock", SLEEP_LOCK },
	{ "pthread_mutex_clocklock", SLEEP_LOCK },
	{ "pthread_mutex_lock_full", SLEEP_LOCK },
	{ "pthread_rwlock_rdlock", SLEEP_LOCK },
	{ "pthread_rwlock_wrlock", SLEEP_LOCK },
	{ "pthread_rwlock_timedrdlock", SLEEP_LOCK },
	{ "pthread_rwlock_timedwrlock", SLEEP_LOCK },
	{ "pthread_rwlock_clockrdlock", SLEEP_LOCK },
	{ "pthread_rwlock_clockwrlock", SLEEP_LOCK },
	{ "mtx_lock", SLEEP_LOCK },
	{ "mtx_timedlock", SLEEP_LOCK },
	{ "flock", SLEEP_LOCK },
	{ "lockf", SLEEP_LOCK },
	{ "pthread_cond_wait", SLEEP_CONDITION },
	{ "pthread_cond_timedwait", SLEEP_CONDITION },
	{ "pthread_cond_clockwait", SLEEP_CONDITION },
	{ "cnd_wait", SLEEP_CONDITION },
	{ "cnd_timedwait", SLEEP_CONDITION },
	{ "sem_wait", SLEEP_SEMAPHORE },
	{ "sem_timedwait", SLEEP_SEMAPHORE },
	{ "sem_clockwait", SLEEP_SEMAPHORE },
	{ "new_sem_wait", SLEEP_SEMAPHORE },
	{ "new_sem_wait_slow64", SLEEP_SEMAPHORE },
	{ "semop", SLEEP_SEMAPHORE },
	{ "semtimedop", SLEEP_SEMAPHORE },
	{ "pthread_barrier_wait", SLEEP_BARRIER },
	{ "pthread_join", SLEEP_JOIN },
	{ "pthread_clockjoin_ex", SLEEP_JOIN },
	{ "pthread_timedjoin_np", SLEEP_JOIN },
	{ "pthread_clockjoin_np", SLEEP_JOIN },
	{ "thrd_join", SLEEP_JOIN },
	{ "wait", SLEEP_CHILD },
	{ "wait3", SLEEP_CHILD },
	{ "wait4", SLEEP_CHILD },
	{ "waitpid", SLEEP_CHILD },
	{ "waitid", SLEEP_CHILD },
	{ "nanosleep", SLEEP_TIMER },
	{ "clock_nanosleep", SLEEP_TIMER },
	{ "usleep", SLEEP_TIMER },
	{ "sleep", SLEEP_TIMER },
	{ "thrd_sleep", SLEEP_TIMER },
	{ "sigwait", SLEEP_SIGNAL },
	{ "sigwaitinfo", SLEEP_SIGNAL },
	{ "sigtimedwait", SLEEP_SIGNAL },
	{ "sigsuspend", SLEEP_SIGNAL },
	{ "pause", SLEEP_SIGNAL },
	{ "poll", SLEEP_POLL },
	{ "ppoll", SLEEP_POLL },
	{ "select", SLEEP_POLL },
	{ "pselect", SLEEP_POLL },
	{ "epoll_wait", SLEEP_POLL },
	{ "epoll_pwait", SLEEP_POLL },
	{ "epoll_pwait2", SLEEP_POLL },
	{ "read", SLEEP_READ },
	{ "readv", SLEEP_READ },
	{ "pread", SLEEP_READ },
	{ "pread64", SLEEP_READ },
	{ "preadv", SLEEP_READ },
	{ "preadv64", SLEEP_READ },
	{ "recv", SLEEP_READ },
	{ "recvfrom", SLEEP_READ },
	{ "recvmsg", SLEEP_READ },
	{ "recvmmsg", SLEEP_READ },
	{ "getrandom", SLEEP_READ },
	{ "write", SLEEP_WRITE },
	{ "writev", SLEEP_WRITE },
	{ "pwrite", SLEEP_WRITE },
	{ "pwrite64", SLEEP_WRITE },
	{ "pwritev", SLEEP_WRITE },
	{ "pwritev64", SLEEP_WRITE },
	{ "send", SLEEP_WRITE },
	{ "sendto", SLEEP_WRITE },
	{ "sendmsg", SLEEP_WRITE },
	{ "sendmmsg", SLEEP_WRITE },
	{ "sendfile", SLEEP_WRITE },
	{ "sendfile64", SLEEP_WRITE },
	{ "fsync", SLEEP_SYNC },
	{ "fdatasync", SLEEP_SYNC },
	{ "msync", SLEEP_SYNC },
	{ "sync", SLEEP_SYNC },
	{ "syncfs", SLEEP_SYNC },
	{ "sync_file_range", SLEEP_SYNC },
	{ "accept", SLEEP_ACCEPT },
	{ "accept4", SLEEP_ACCEPT },
	{ "connect", SLEEP_CONNECT },
};

static const char *const words[SLEEP_REASONS] = {
	"other", "futex", "lock", "condition", "semaphore", "barrier", "join",
	"child", "timer", "signal", "poll", "read", "write", "sync", "accept",
	"connect",
};

/*
 * Rust's own locks have no function of libc for themselves: they wait for a
 * futex, as std::sys::sync::mutex::futex::Mutex::lock_contended does.
 */
static bool
is_rust_lock(const char *name)
{
	static const char *const methods[] = {
		"lock_contended", "read_contended", "write_contended",
	};

	if (!library_name_is_standard(name))
		return false;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strstr(name, methods[i]) != NULL)
			return true;
	return false;
}

enum sleep_reason
sleep_reason_of(const char *name)
{
	size_t length;

	if (is_rust_lock(name))
		return SLEEP_LOCK;
	/* __libc_read, __GI___libc_read */
	name += strspn(name, "_");
	if (strncmp(name, "GI_", 3) == 0)
		name += 3 + strspn(name + 3, "_");
	if (strncmp(name, "libc_", 5) == 0)
		name += 5;
	/* a version, or the mark of a compiler's copy: .constprop.0 */
	length = strcspn(name, "@.");
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strncmp(name, functions[i].name, length) == 0 &&
		    functions[i].name[length] == '\0')
			return functions[i].reason;
	return SLEEP_OTHER;
}

const char *
sleep_reason_word(enum sleep_reason reason)
{
	return words[reason];
}
