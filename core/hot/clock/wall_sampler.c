/*
 * Context: S.  clock=wall: starts, runs and ends the helper, the thread that
 * looks at sleeping threads, for core/runtime and the hooks of fork and
 * unshare(2).
 *
 * libc does not know the helper, so its code may not use TLS.
 */
#include "clock/wall_sampler.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "clock/sleep_sampler.h"
#include "module/proc_info.h"
#include "thread/private_fds.h"
#include "thread/signal_chain.h"
#include "thread/thread_slot_each.h"

#include <linux/futex.h>
#ifndef SYS_close_range
#define SYS_close_range	436
#endif
#include <sched.h>
#include <sys/uio.h>

#define ROUND_NS	10000000u	/* ns: 100 rounds a second */
/* a second: language runtimes have begun by then */
#define GUARD_ROUNDS	100u
/* rounds in one wait while no time is to be counted */
#define IDLE_ROUNDS	10u
/* ns between two checks whether the helper is alone */
#define NAP_NS		12500000u
/* a round may cost 1/200 of the time to the next */
#define SHARE		200u
#define CLOSE_MOST	65536
/* size of a helper's mapping, with its stack */
#define MAP_BYTES	(80u << 10)

/*
 * The state of one helper.  Each has its own, because the next one may begin
 * while the last one ends.
 */
struct wall_sampler {
	_Atomic unsigned stop;	/* 1: the helper is to end; a futex */
	_Atomic bool over;	/* the helper is to end without a last look */
	_Atomic int alive;	/* cleared by the kernel when the helper ends */
	int tid;		/* the helper */
	/* the thread that waits for its end; 0: none yet */
	int stopper;
	/* a seccomp filter may kill for unusual system calls */
	bool filtered;
	bool idle;		/* no time is counted: stopped, or mode=heap */
	/* nothing was to be counted at its last round */
	bool unwanted;
	unsigned rounds;	/* rounds so far, up to GUARD_ROUNDS */
	struct sleep_sampler sleeper;
};

static int
futex(const void *word, int op, unsigned value, const struct timespec *t)
{
	return (int)SYS(futex, word, op, value, t, 0, 0);
}

/* Closes all descriptors before Linux 5.9, which has no close_range(2). */
static void
close_one_by_one(void)
{
	struct rlimit r = {1024, 1024};

	SYS(prlimit64, 0, RLIMIT_NOFILE, NULL, &r, 0, 0);
	for (int fd = 0; fd < (int)r.rlim_cur && fd < CLOSE_MOST; fd++)
		sys_close(fd);
}

static void
note_living_thread(struct thread_slot *s, void *seen)
{
	if (atomic_load(&s->state) == THREAD_SLOT_LIVE && s->tid != mon->pid &&
	    sys_tgkill(mon->pid, s->tid, 0) == 0)
		*(bool *)seen = true;
}

/*
 * Returns what is_last_in_process() returns, where there is no /proc.  A first
 * thread that has ended has no memory, so reading from it fails.
 */
static bool
is_last_by_slots(const struct wall_sampler *w)
{
	char from = 0, to;
	const struct iovec there = {&from, 1}, here = {&to, 1};
	bool seen = false;

	if (w->filtered || SYS(process_vm_readv, mon->pid, &here, 1, &there, 1,
	    0) != -ESRCH)
		return false;
	thread_slot_for_each(note_living_thread, &seen);
	return !seen;
}

/*
 * Returns whether only the helper, and threads that wait to be reaped, are left
 * in the process; the process has to end then.
 */
static bool
is_last_in_process(const struct wall_sampler *w)
{
	unsigned n = proc_info_thread_count();

	if (n == 0)
		return is_last_by_slots(w);
	if (n == 1)
		return true;
	if (!proc_info_leader_ended())
		return false;
	if (n > 2)
		atomic_store(&mon->wall_status, 1);
	return n == 2;
}

/*
 * Waits for ns, until the helper is to end, or until a filter may kill it.
 * Returns false if the program's threads have all ended.
 */
static bool
wait_for_round(struct wall_sampler *w, uint64_t ns)
{
	struct timespec t = {0, 0};
	uint64_t nap;

	for (; ns > 0 && atomic_load(&w->stop) == 0; ns -= nap) {
		nap = ns < NAP_NS ? ns : NAP_NS;
		t.tv_nsec = (long)nap;
		futex(&w->stop, FUTEX_WAIT_PRIVATE, 0, &t);
		w->sleeper.filter_came |= proc_info_filter_came();
		if (w->sleeper.filter_came)
			break;
		if (is_last_in_process(w))
			return false;
	}
	return true;
}

/*
 * Ends the process with the right status.  The status of a process is that of
 * its last thread (since Linux 5.19; before, that of its first thread).  The
 * program's last thread has ended without ending the process, so the helper is
 * the last thread, and ends with the status of the program's last thread.  If
 * that was the first thread, the kernel has kept its status.
 */
static void
exit_as_last_thread(void)
{
	int status = atomic_load(&mon->wall_status) - 1;

	if (status < 0)
		status = proc_info_leader_status() >> 8 & 0xff;
	SYS(exit, status, 0, 0, 0, 0, 0);
}

void
wall_sampler_thread_exit(int status)
{
	if (atomic_load(&mon->wall_tid) != 0 && sys_gettid() != mon->pid &&
	    proc_info_leader_ended())
		atomic_store(&mon->wall_status, (status & 0xff) + 1);
}

void
wall_sampler_thread_exit_confined(int status)
{
	/* Not 0: is_last_in_process() has found that, or an earlier thread. */
	if (atomic_load(&mon->wall_tid) != 0 &&
	    atomic_load(&mon->wall_status) != 0)
		atomic_store(&mon->wall_status, (status & 0xff) + 1);
}

/*
 * Returns the time to the next round, in ns.  It varies by up to a quarter, so
 * as not to keep step with the program.  cost: the smaller one of the costs of
 * the last two rounds, because a single one may have included making the file.
 */
static uint64_t
choose_round_wait(uint64_t cost, uint64_t *random)
{
	uint64_t wait = SHARE * cost;

	if (wait < ROUND_NS)
		wait = ROUND_NS;
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return wait - wait / 4 + (*random >> 32) % (wait / 2);
}

/*
 * Puts our handler of SIGSEGV in force if no tick does that, because threads
 * that sleep may never have a tick.
 */
static void
guard_wall_walks(struct wall_sampler *w)
{
	if (w->rounds < GUARD_ROUNDS)
		w->rounds++;
	else if (!virtual_signals.faults[VIRTUAL_FAULT_SEGV].installed &&
	    !atomic_load(&mon->segv_asked))
		signal_chain_guard_walks(UINT64_MAX);
}

/*
 * Looks at every thread, with the signals of our own faults unblocked: a store
 * may meet a file that another program truncated, a load a table that is gone.
 * If such a signal was sent to the program, our handler keeps it pending until
 * it is blocked again.
 */
static void
sample_all_sleepers(struct wall_sampler *w, struct sleep_sampler_round *r)
{
	const sys_sigset ours = signal_chain_guarded();

	if (w->filtered || ours == 0) {
		thread_slot_for_each(sleep_sampler_sample, r);
		return;
	}
	sys_sigprocmask(SIG_UNBLOCK, &ours, NULL);
	thread_slot_for_each(sleep_sampler_sample, r);
	sys_sigprocmask(SIG_BLOCK, &ours, NULL);
}

/*
 * Looks once at every thread and returns the CPU time that it took, in ns.  It
 * returns CPU time, because waiting for other threads is no cost.  Time that
 * passed while nothing was to be counted is never counted: each thread's
 * account begins anew after it.
 */
static uint64_t
sample_round(struct wall_sampler *w, int stopper, bool first)
{
	struct sleep_sampler_round r = {&w->sleeper, sys_clock(CLOCK_MONOTONIC),
	    stopper, first, &w->over};
	const uint64_t began = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	const bool was_unwanted = w->unwanted;

	w->idle = lineage_is_paused(LINEAGE_UNTIMED);
	w->unwanted = lineage_is_paused(LINEAGE_UNTIMED | LINEAGE_PAUSED) ||
	    !atomic_load(&mon->running) || atomic_load(&mon->frozen);
	if (w->unwanted)
		return 0;
	if (was_unwanted)
		atomic_fetch_add(&mon->wall_epoch, 1);
	if (!w->filtered)
		guard_wall_walks(w);
	sample_all_sleepers(w, &r);
	return sys_clock(CLOCK_THREAD_CPUTIME_ID) - began;
}

/*
 * Leaves the program's descriptors and directory: a descriptor that stays open
 * would keep pipes from ending, and a current directory would keep a file
 * system from being unmounted.
 */
static void
leave_program_files(void)
{
	SYS(chdir, "/", 0, 0, 0, 0, 0);
	if (SYS(close_range, 0, ~0u, 0, 0, 0, 0) != 0)
		close_one_by_one();
}

/*
 * Makes the helper nobody's, because it ends by itself.  Its memory, in which
 * it still runs, is not given back.  If a thread has begun to stop it, that
 * thread waits for it as ever.
 */
static void
leave_for_good(struct wall_sampler *w)
{
	struct wall_sampler *own = w;

	if (atomic_compare_exchange_strong(&mon->wall, &own, NULL))
		atomic_store(&mon->wall_tid, 0);
}

/* Runs the helper with its state, `wall`. */
static void
rounds(void *wall)
{
	struct wall_sampler *w = wall;
	uint64_t random = sys_clock(CLOCK_MONOTONIC);
	uint64_t before = 0, cost = 0;
	bool stopped = false;

	private_fds_note_helper();
	w->filtered = proc_info_is_filtered();
	w->sleeper.copies = config.stack != FORMAT_STACK_OFF && !w->filtered;
	leave_program_files();
	sample_round(w, 0, true);
	/*
	 * If the helper is told to look a last time, it does so, even if it has
	 * not looked yet.
	 */
	while (!stopped && !w->sleeper.filter_came) {
		if (!wait_for_round(w, choose_round_wait(cost < before ? cost :
		    before, &random) * (w->idle ? IDLE_ROUNDS : 1)))
			exit_as_last_thread();
		before = cost;
		stopped = atomic_load(&w->stop) != 0;
		if (w->sleeper.filter_came)
			break;
		cost = sample_round(w, stopped ? w->stopper : 0, false);
	}
	if (w->sleeper.filter_came)
		loss_count(LOSS_FROZEN, 1);	/* no sleep is counted now */
	if (!stopped)
		leave_for_good(w);
}

/*
 * Ends the helper w, unless it is NULL, and waits until it has left the
 * process; then frees its stack.  look: it is to look a last time.
 */
static void
end_wall_thread(struct wall_sampler *w, bool look)
{
	int alive, tid;

	if (w == NULL)
		return;
	/* it sleeps in this function, not in the program */
	w->stopper = sys_gettid();
	atomic_store(&w->over, !look);
	atomic_store(&w->stop, 1);
	futex(&w->stop, FUTEX_WAKE_PRIVATE, 1, NULL);
	/* The kernel wakes the shared futex of CLONE_CHILD_CLEARTID. */
	while ((alive = atomic_load(&w->alive)) != 0)
		futex(&w->alive, FUTEX_WAIT, (unsigned)alive, NULL);
	tid = w->tid;
	private_fds_await_exit(tid);
	mmap_area_unmap(w, MAP_BYTES);
	atomic_compare_exchange_strong(&mon->wall_tid, &tid, 0);
}

/*
 * Makes the helper's thread, with every signal blocked.  Returns its id or
 * -errno.
 */
static long
make_wall_thread(struct wall_sampler *w)
{
	/*
	 * No CLONE_FILES and no CLONE_FS: the program must not have what the
	 * helper opens, and setns(2) into a mount namespace requires a
	 * directory of its own.  No CLONE_SYSVSEM: kcmp(2) would show the list
	 * that it makes.
	 */
	const unsigned long flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD |
	    CLONE_CHILD_CLEARTID;
	sys_sigset all = ~(sys_sigset)0, before;
	long tid;

	sys_sigprocmask(SIG_SETMASK, &all, &before);
	atomic_store(&w->alive, 1);
	private_fds_expect_helper();
	tid = arch_clone_thread(flags, (char *)w + MAP_BYTES, (int *)&w->alive,
	    rounds, w);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return tid;
}

int
wall_sampler_start(void)
{
	struct wall_sampler *w = mmap_area_alloc(MAP_BYTES);
	unsigned none = 0;
	long tid;

	if (w == NULL)
		return -ENOMEM;
	atomic_compare_exchange_strong(&mon->wall_epoch, &none, 1);
	tid = make_wall_thread(w);
	if (tid < 0) {
		private_fds_forget_helper();
		mmap_area_unmap(w, MAP_BYTES);
		return (int)tid;
	}
	w->tid = (int)tid;
	atomic_store(&mon->wall_tid, w->tid);
	end_wall_thread(atomic_exchange(&mon->wall, w), false);
	return 0;
}

void
wall_sampler_stop(void)
{
	end_wall_thread(atomic_exchange(&mon->wall, NULL), true);
}

void
wall_sampler_abort(void)
{
	end_wall_thread(atomic_exchange(&mon->wall, NULL), false);
}
