/*
 * Context: S.  Runs functions that open files where the program cannot see
 * their descriptors: in the calling thread if the process has no other, else in
 * a helper thread; see private_fds.h.  Ticks, the hooks and the seal call it,
 * not in a frozen process.
 */
#include "thread/private_fds.h"

#include "base/state.h"
#include "module/proc_info.h"

#include <sched.h>

/*
 * Flags of a helper thread.  The caller waits until the helper has ended, so
 * the helper can use the caller's stack.  The descriptor table is shared at
 * first and then left for an empty one: a copy would keep the program's files
 * open, with their locks and pipes, while another thread closes them.  No
 * CLONE_SYSVSEM: the kernel would give a program that has no list of semaphore
 * adjustments a shared one, which kcmp(2) shows.
 */
#define PRIVATE_FDS_CLONE_FLAGS \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | \
	CLONE_CHILD_CLEARTID)

/*
 * The signals that a fault sends to its own thread: the kernel ends a process
 * that blocks them and faults.
 */
#define PRIVATE_FDS_FAULTS \
	(SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGSEGV) | SYS_SIGBIT(SIGILL) | \
	SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP))

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE	2u
#endif

/*
 * Descriptors that a function has open at a time, at most: the lock of the
 * directory, and a new file.  To look for each costs 1 us.
 */
#define PRIVATE_FDS_OPEN	2

#define HELPER_TURNS	1000u	/* of 20 to 40 ns */

/* A function to run, and its result. */
struct work {
	int (*fn)(void *);
	void *arg;
	int ret;
	int alive;		/* the kernel zeroes it at the thread's end */
	/* the descriptor table was copied when the helper was made */
	bool copy;
	bool done;		/* fn has returned */
};

void
private_fds_expect_helper(void)
{
	atomic_fetch_add(&mon->asides_coming, 1);
}

void
private_fds_forget_helper(void)
{
	atomic_fetch_sub(&mon->asides_coming, 1);
}

void
private_fds_note_helper(void)
{
	const unsigned n = atomic_fetch_add(&mon->asides, 1);

	atomic_store(&mon->aside_tid[n % PRIVATE_FDS_HELPERS], sys_gettid());
	private_fds_forget_helper();
}

bool
private_fds_helpers_noted(void)
{
	for (unsigned i = 0; i < HELPER_TURNS &&
	    atomic_load(&mon->asides_coming) != 0; i++)
		arch_cpu_relax();
	return atomic_load(&mon->asides_coming) == 0;
}

/*
 * Runs the work; the helper thread begins here.  Leaves w->done false if the
 * helper cannot get a descriptor table of its own.
 */
static void
run_as_helper(void *work)
{
	struct work *w = work;
	const sys_sigset faults = PRIVATE_FDS_FAULTS;

	private_fds_note_helper();
	sys_sigprocmask(SIG_UNBLOCK, &faults, NULL);
	if (!w->copy && SYS(close_range, 0, ~0u, CLOSE_RANGE_UNSHARE, 0, 0,
	    0) != 0)
		return;		/* CLOSE_RANGE_UNSHARE exists since Linux 5.9 */
	w->ret = w->fn(w->arg);
	w->done = true;
}

bool
private_fds_is_helper(int tid)
{
	for (unsigned i = 0; i < PRIVATE_FDS_HELPERS; i++)
		if (atomic_load(&mon->aside_tid[i]) == tid)
			return true;
	return false;
}

void
private_fds_await_exit(int tid)
{
	/*
	 * If many threads wanted to run, yielding again and again took 30 ms of
	 * CPU time.
	 */
	const struct timespec nap = {0, 50000};
	bool yielded = false;

	while (sys_tgkill(mon->pid, tid, 0) == 0) {
		if (yielded)
			SYS(nanosleep, &nap, NULL, 0, 0, 0, 0);
		else
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		yielded = true;
	}
}

/*
 * Returns whether the caller is the only thread of the process and shares its
 * descriptors with no other process.  Such a caller can use its own table: no
 * thread exists that could see the descriptors, and a helper thread costs 0.1
 * ms.
 */
static bool
is_single_threaded(void)
{
	return proc_info_thread_count() == 1 &&
	    atomic_load(&virtual_signals.vforks) == 0 &&
	    !atomic_load(&virtual_signals.files_shared);
}

/*
 * Returns whether the program's table has room for our descriptors.  Functions
 * read several files, and most of them go on without one that they cannot open,
 * so no result tells that there was no room.  With O_PATH, because closing such
 * a descriptor releases no record locks.
 */
static bool
has_free_descriptors(void)
{
	int fds[PRIVATE_FDS_OPEN], error = 0, n = 0;

	while (n < PRIVATE_FDS_OPEN && error == 0) {
		fds[n] = sys_open("/", O_PATH, 0);
		if (fds[n] < 0)
			error = fds[n];
		else
			n++;
	}
	while (n > 0)
		sys_close(fds[--n]);
	/* The function itself meets any other error. */
	return error != -EMFILE;
}

/*
 * Runs the work in a helper thread, made with the flags of clone(2), and waits
 * for its end.  Leaves w->done false if no thread can be made.  All signals are
 * blocked, because no handler may run on this stack while the helper uses it.
 */
static void
run_in_helper(struct work *w, unsigned long flags)
{
	const sys_sigset all = ~(sys_sigset)0;
	sys_sigset before;
	long tid;

	sys_sigprocmask(SIG_BLOCK, &all, &before);
	w->alive = 1;
	private_fds_expect_helper();
	tid = arch_clone_and_wait(flags, &w->alive, run_as_helper, w);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	if (sys_failed(tid))
		private_fds_forget_helper();
	else
		private_fds_await_exit((int)tid);
}

/*
 * The calling thread runs a function that may still return PRIVATE_FDS_RETRY
 * (private_fds.h) to be run in a helper.  False in the last resort of
 * run_with_private_fds().  Not atomic: it is set only while no other thread
 * exists.
 */
static bool runs_with_shared_fds;

bool
private_fds_is_shared(void)
{
	return runs_with_shared_fds;
}

static int
run_in_calling_thread(int (*fn)(void *), void *arg)
{
	int ret;

	runs_with_shared_fds = true;
	ret = fn(arg);
	runs_with_shared_fds = false;
	return ret;
}

/*
 * Runs fn(arg) in the first of these that is possible: the calling thread, a
 * helper with an empty descriptor table, a helper with a copy of the program's,
 * and again the calling thread.  Signals are blocked.
 */
static int
run_with_private_fds(int (*fn)(void *), void *arg)
{
	struct work w = {fn, arg, PRIVATE_FDS_RETRY, 0, false, false};

	if (is_single_threaded() && has_free_descriptors())
		w.ret = run_in_calling_thread(fn, arg);
	if (w.ret != PRIVATE_FDS_RETRY)
		return w.ret;
	run_in_helper(&w, PRIVATE_FDS_CLONE_FLAGS);
	if (w.done)
		return w.ret;
	w.copy = true;
	run_in_helper(&w,
	    PRIVATE_FDS_CLONE_FLAGS & ~(unsigned long)CLONE_FILES);
	return w.done ? w.ret : fn(arg);
}

/*
 * Blocks signals, so that no handler of the program runs while our descriptors
 * are open in its table.
 */
int
private_fds_run(int (*fn)(void *), void *arg)
{
	const sys_sigset shut = ~PRIVATE_FDS_FAULTS;
	sys_sigset before;
	bool nested;
	int ret;

	sys_sigprocmask(SIG_BLOCK, &shut, &before);
	/* fn may call this itself: the inner call has a state of its own. */
	nested = runs_with_shared_fds;
	if (nested)
		runs_with_shared_fds = false;
	ret = run_with_private_fds(fn, arg);
	if (nested)
		runs_with_shared_fds = true;
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
