/*
 * Context: S.  clock=wall: measures how long each thread has slept, and where,
 * for the helper of wall_sampler.c, and for threads at their ends.  The
 * helper's code uses no TLS.
 *
 * A sleeper is not signalled, because a signal would end its system call with
 * EINTR.  The kernel says in /proc/self/task/TID/syscall in which call the
 * thread is and where that call returns to.  The CPU clocks count running
 * threads.
 *
 * A thread whose CPU time is the same as at the last look has not run: it still
 * sleeps in the same place, and costs one system call.  For a thread that has
 * run, the slot keeps since when its time is not accounted for.  When the
 * thread is found asleep, it has slept for that time, less the time that it ran
 * and the time that it waited for a processor.  So the sum is right however
 * rarely the helper looks.
 *
 * A sleeper may wake at any time and unmap its stack.  So the kernel copies the
 * stack, and the copy is valid if the thread has not run since.
 */
#include "clock/sleep_sampler.h"

#include "base/loss_count.h"
#include "base/str.h"
#include "clock/cpu_timer.h"
#include "count/record.h"
#include "module/modules.h"
#include "module/proc_info.h"
#include "thread/private_fds.h"
#include "thread/run_delay.h"
#include "thread/thread_slot.h"

#include <sys/uio.h>

#define UNKNOWN		UINT64_MAX
/* 200 times as long as the look takes */
#define END_NS		20000000u

/*
 * Returns whether the thread has ended.  A missing entry alone does not say so:
 * /proc may not be mounted, or may belong to another namespace.
 */
static bool
has_thread_ended(int tid, long error)
{
	return error == -ESRCH || (error == -ENOENT &&
	    sys_tgkill(mon->pid, tid, 0) == -ESRCH);
}

/*
 * Returns how long a thread has waited for a processor, in ns; 0 if the kernel
 * does not say it.
 */
static uint64_t
read_run_delay(int tid)
{
	const uint64_t delay = run_delay_read(tid);

	return delay == RUN_DELAY_UNKNOWN ? 0 : delay;
}

static uintptr_t
hex_word(const char *word)
{
	if (!str_begins(word, "0x"))
		return 0;
	word += 2;
	return (uintptr_t)str_hex(&word);
}

/*
 * Parses "NR ARG...  SP PC", or "-1 SP PC" of a thread that is blocked outside
 * a system call.  Returns false for "running".
 */
static bool
parse_task_syscall(struct stack_walk_start *from, const char *line)
{
	const char *p, *last = line, *before = line;

	for (p = line; *p != '\0'; p++) {
		if (*p == ' ') {
			before = last;
			last = p + 1;
		}
	}
	from->pc = hex_word(last);
	from->sp = hex_word(before);
	from->called = from->registers = false;
	from->all = NULL;
	from->asleep = true;
	return from->pc != 0;
}

/*
 * Returns whether the thread sleeps, and where in l->from.  Counts a loss if
 * that cannot be read.
 */
static bool
is_task_asleep(struct sleep_sampler *l, int tid)
{
	char path[48];
	struct str s;
	long n;

	str_init(&s, path, sizeof(path));
	str_add(&s, "/proc/self/task/");
	str_add_number(&s, (uint64_t)tid);
	str_add(&s, "/syscall");
	n = proc_info_read(path, l->line, sizeof(l->line));
	if (n <= 0 && !has_thread_ended(tid, n))
		loss_count(LOSS_SLEEP_READ, 1);
	return n > 0 && parse_task_syscall(&l->from, l->line);
}

/*
 * Copies as much of the stack as is mapped.  The kernel copies, so that a
 * missing page is no fault.
 */
static void
copy_sleeper_stack(struct sleep_sampler *l)
{
	const struct iovec to = {l->copy, sizeof(l->copy)};
	const struct iovec stack = {(void *)l->from.sp, sizeof(l->copy)};
	long n = SYS(process_vm_readv, mon->pid, &to, 1, &stack, 1, 0);

	l->from.words = n <= 0 ? 0 : (unsigned)n / 8;
}

/*
 * Copies the sleeper's stack, if stacks may be copied, into l->from.  Returns
 * whether the thread has not run since the CPU time `cpu` was read: a thread
 * that has run may be in the same call, reached by another path.
 */
static bool
take_sleeper_stack(struct sleep_sampler *l, int tid, uint64_t cpu)
{
	l->from.stack = l->copy;
	l->from.words = 0;
	if (!l->copies)
		return true;
	copy_sleeper_stack(l);
	return cpu_timer_thread_time(tid) == cpu;
}

/*
 * Begins the thread's account at this look.  The account of a new thread began
 * when it was made.
 */
static void
begin_sleep_account(struct thread_slot *s, const struct sleep_sampler_round *r,
    int tid, uint64_t cpu)
{
	if (s->wall.epoch != atomic_load(&mon->wall_epoch)) {
		s->wall.epoch = atomic_load(&mon->wall_epoch);
		s->wall.mono = r->now;
		s->wall.cpu = cpu;
		s->wall.delay = UNKNOWN;
		s->wall.node = 0;
	}
	if (s->wall.delay == UNKNOWN)
		s->wall.delay = read_run_delay(tid);
}

/*
 * Returns how long the thread slept until now, in ns, and moves its account up
 * to now.  Returns 0 and leaves the account as it is for a sleeper that is just
 * waking: it has waited for a processor, which the kernel counts only when the
 * thread runs.  The account can then show more than has passed.
 */
static uint64_t
advance_sleep_account(struct thread_slot *s, uint64_t now, uint64_t cpu,
    uint64_t delay)
{
	int64_t slept;

	if (delay < s->wall.delay)
		delay = s->wall.delay;	/* the delay could not be read */
	slept = (int64_t)(now - s->wall.mono) -
	    (int64_t)(cpu - s->wall.cpu) - (int64_t)(delay - s->wall.delay);
	if (slept <= 0)
		return 0;
	s->wall.mono = now;
	s->wall.cpu = cpu;
	s->wall.delay = delay;
	return (uint64_t)slept;
}

/* Counts a sleep in a place that is not known yet. */
static void
count_new_sleep(struct thread_slot *s, const struct sleep_sampler_round *r,
    int tid, uint64_t cpu)
{
	struct sleep_sampler *l = r->sleeper;
	uint64_t slept = advance_sleep_account(s, r->now, cpu,
	    cpu == s->wall.cpu ? s->wall.delay : read_run_delay(tid));

	if (slept != 0)
		s->wall.node = record_sleep(s, l->from.pc,
		    take_sleeper_stack(l, tid, cpu) ? &l->from : NULL, slept);
}

/* Counts more of a sleep whose place is known. */
static void
count_more_sleep(struct thread_slot *s, const struct sleep_sampler_round *r)
{
	if (r->now <= s->wall.mono)
		return;
	if (record_sleep_again(s, s->wall.node, r->now - s->wall.mono))
		s->wall.mono = r->now;
	else
		s->wall.node = 0;
}

/*
 * Returns whether a filter lets the helper look into /proc; asked before each
 * look, because another thread can set a filter for all threads at any time.
 */
static bool
may_look(struct sleep_sampler *l)
{
	l->filter_came |= proc_info_filter_came();
	return !l->filter_came;
}

/*
 * Looks at one thread, with `busy` held.  The thread's own handlers do not wait
 * for it: a tick that comes meanwhile is counted as lost.
 */
static void
sample_sleeper(struct thread_slot *s, const struct sleep_sampler_round *r,
    int tid, uint64_t cpu)
{
	const bool known = s->wall.epoch == atomic_load(&mon->wall_epoch) &&
	    s->wall.delay != UNKNOWN;
	const bool sleeps_on = known && s->wall.node != 0 &&
	    s->wall.cpu == cpu;

	if ((r->first && known) || (!sleeps_on && !may_look(r->sleeper)) ||
	    (known && !sleeps_on && !is_task_asleep(r->sleeper, tid)))
		return;
	if (atomic_exchange(&s->busy, 1) != 0)
		return;
	if (atomic_load(&s->state) == THREAD_SLOT_LIVE && s->tid == tid) {
		if (!known)
			begin_sleep_account(s, r, tid, cpu);
		else if (sleeps_on)
			count_more_sleep(s, r);
		else
			count_new_sleep(s, r, tid, cpu);
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

void
sleep_sampler_sample(struct thread_slot *s, void *round)
{
	const struct sleep_sampler_round *r = round;
	int tid = s->tid;
	uint64_t cpu;

	if (atomic_load(&s->state) != THREAD_SLOT_LIVE || tid == r->except ||
	    atomic_load_explicit(r->over, memory_order_relaxed) ||
	    r->sleeper->filter_came)
		return;
	modules_await();
	cpu = cpu_timer_thread_time(tid);
	if (cpu != 0)
		sample_sleeper(s, r, tid, cpu);
	else if (!has_thread_ended(tid, -ENOENT))
		loss_count(LOSS_SLEEP_READ, 1);
}

void
sleep_sampler_begin(struct thread_slot *s)
{
	s->wall.epoch = atomic_load(&mon->wall_epoch);
	s->wall.mono = sys_clock(CLOCK_MONOTONIC);
}

/*
 * The argument of read_own_delay(): a thread, and the time that it has waited
 * for a processor.
 */
struct own_delay {
	int tid;
	uint64_t ns;
};

static int
read_own_delay(void *own)
{
	struct own_delay *o = own;

	o->ns = read_run_delay(o->tid);
	return 0;
}

/*
 * Returns whether the thread's account leaves more than END_NS of possible
 * sleep.
 */
static bool
has_slept_long(const struct thread_slot *s, uint64_t now, uint64_t cpu)
{
	return s->wall.node != 0 && s->wall.delay != UNKNOWN &&
	    s->wall.epoch == atomic_load(&mon->wall_epoch) &&
	    now > s->wall.mono + (cpu - s->wall.cpu) + END_NS;
}

/* Counts the last sleep of the calling thread, whose slot s it holds busy. */
static void
count_last_sleep(struct thread_slot *s)
{
	uint64_t now = sys_clock(CLOCK_MONOTONIC);
	uint64_t cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	struct own_delay own = {s->tid, 0};
	uint64_t slept;

	if (!has_slept_long(s, now, cpu))
		return;
	private_fds_run(read_own_delay, &own);
	slept = advance_sleep_account(s, now, cpu, own.ns);
	if (slept != 0)
		record_sleep_again(s, s->wall.node, slept);
}

STATE_START void
sleep_sampler_end(struct thread_slot *s)
{
	sys_sigset before;

	if (s->wall.node == 0 || proc_info_filter_came())
		return;
	thread_slot_block_signals(&before);
	if (atomic_exchange(&s->busy, 1) == 0) {
		count_last_sleep(s);
		atomic_store_explicit(&s->busy, 0, memory_order_release);
	}
	thread_slot_restore_mask(&before);
}
