/*
 * Context: S.  The handler of the tick's signal; the kernel calls it, in any
 * thread, also in a frozen process and in a vfork child.  `mon` is set;
 * mon->pid is 0 in a fork child that has not begun.
 *
 * The handler runs with every signal blocked but those of faults, on our
 * alternate stack as a rule.  It writes to its thread's slot and to the file.
 * It waits only where it opens files, perf events and the like with private
 * descriptors (private_fds.c): to make the file, to read the memory map, to
 * start the fine clock, and to look for unknown threads.
 */
#include "clock/tick.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "clock/perf_clock.h"
#include "clock/tick_count.h"
#include "count/live_control.h"
#include "frame.h"
#include "thread/signal_chain.h"
#include "thread/thread_slot.h"

/*
 * Returns the slot whose clock has sent this signal, judged by fields that only
 * our clocks fill in, or NULL if no clock of ours did.  *running: the clock
 * still runs.  If it was stopped, the late signal is ours all the same and must
 * not reach the program, which it would kill.
 */
static struct thread_slot *
slot_of_signal(const siginfo_t *si, bool *running)
{
	struct thread_slot *s = NULL;

	*running = false;
	if (si->si_code == SI_TIMER) {
		s = si->si_value.sival_ptr;
		if (!thread_slot_is_valid(s))
			return NULL;
		*running = atomic_load_explicit(&s->coarse_clock.timer,
		    memory_order_relaxed) == si->si_timerid + 1;
	} else if (si->si_code == POLL_IN) {
		s = thread_slot_current();
		if (s == NULL || !thread_slot_is_valid(s) ||
		    !perf_clock_is_sender(s, si->si_fd))
			return NULL;
		*running = s->fine_clock.fd == si->si_fd + 1 &&
		    atomic_load_explicit(&s->fine_clock.ring.map,
		    memory_order_relaxed) != NULL;
	} else if (si->si_code == SI_KERNEL && mon->process_tier) {
		s = thread_slot_current();
		if (s == NULL || !thread_slot_is_valid(s))
			return NULL;
		*running = true;
	}
	return s;
}

/*
 * Returns whether the process clock sent this signal.  In a thread without a
 * slot its time waits for the next signal of that clock.  Takes the one late
 * signal that a stopped clock may have left.
 */
static bool
is_process_timer_signal(const siginfo_t *si)
{
	return si->si_code == SI_KERNEL && (mon->process_tier ||
	    atomic_exchange(&mon->stragglers, 0) != 0);
}

/*
 * Returns whether to time tick n: each of the first 2^CONFIG_COST_SHIFT, later
 * one in so many; none in a frozen process.
 */
static bool
is_run_timed(uint64_t n)
{
	const uint64_t all = 1u << CONFIG_COST_SHIFT;

	return (n < all || n % all == 1) &&
	    !atomic_load_explicit(&mon->frozen, memory_order_relaxed);
}

/*
 * Adds the cost of tick n, in ns of CPU time, to the header: to the sum of the
 * first ticks or to that of all later ones.
 */
static void
add_handler_cost(uint64_t n, uint64_t ns)
{
	struct format_header *h = store_header();
	const bool first = n < 1u << CONFIG_COST_SHIFT;

	if (h == NULL)
		return;
	__atomic_fetch_add(first ? &h->first_ns : &h->cost_ns, ns,
	    __ATOMIC_RELAXED);
	__atomic_fetch_add(first ? &h->first_ticks : &h->cost_ticks, 1,
	    __ATOMIC_RELAXED);
}

/*
 * Counts one tick in the file's header, if `made`, and returns the number of
 * earlier ones.  made: the file exists, so that this tick is counted in it.
 * The tick that makes the file is counted afterwards.
 */
static uint64_t
count_handler_run(bool made)
{
	struct format_header *h = store_header();

	return h == NULL ? 0 : __atomic_fetch_add(&h->ticks, made,
	    __ATOMIC_RELAXED);
}

/*
 * Counts a tick of the calling thread, whose slot is s, and measures what some
 * of the ticks cost.
 */
static void
count_timed_tick(struct thread_slot *s, const siginfo_t *si,
    const ucontext_t *uc)
{
	const bool made = store_header() != NULL;
	const uint64_t n = count_handler_run(made);
	const bool timed = is_run_timed(n);
	uint64_t start = timed ? sys_clock(CLOCK_THREAD_CPUTIME_ID) : 0;

	tick_count(s, si, arch_pc(uc), uc);
	if (timed)
		add_handler_cost(n, sys_clock(CLOCK_THREAD_CPUTIME_ID) - start);
	if (!made)
		count_handler_run(true);
}

bool
tick_count_dequeued(const siginfo_t *si, uintptr_t pc)
{
	bool running;
	struct thread_slot *s = slot_of_signal(si, &running);

	if (s == NULL)
		return is_process_timer_signal(si);
	if (running)
		tick_count(s, si, pc, NULL);
	return true;
}

/*
 * Unblocks SIGBUS, and SIGSEGV if our handler is in force for it: our handler
 * must get the fault of a store into a file that another program truncated, or
 * of a load from a stack that is gone.  Does nothing in a frozen process.
 */
static void
unblock_faults(const ucontext_t *uc)
{
	const sys_sigset *blocked = (const void *)&uc->uc_sigmask;
	const sys_sigset faults = SYS_SIGBIT(SIGBUS) | signal_chain_guarded();

	if ((*blocked & faults) != 0 && !atomic_load(&mon->frozen))
		sys_sigprocmask(SIG_UNBLOCK, &faults, NULL);
}

/* Returns whether the signal is a kick; unblocks the signals of our faults. */
static bool
is_control_kick(const siginfo_t *si, const ucontext_t *uc)
{
	if (si->si_code != POLL_HUP)
		return false;
	unblock_faults(uc);	/* the next call reads the file */
	return live_control_is_kick(si);
}

void
tick_handler(int sig, siginfo_t *si, void *context)
{
	const struct frame_signal_entry e = FRAME_SIGNAL_ENTRY(si, context);
	const ucontext_t *uc = context;
	struct thread_slot *s = NULL;
	bool running = false;

	if (mon->pid != 0)
		s = slot_of_signal(si, &running);
	if (s != NULL && thread_slot_tls_replaced(s)) {
		loss_count(LOSS_THREAD_POINTER, running);
	} else if (s != NULL && thread_slot_stack_fits(s, uc)) {
		signal_chain_apply_move(s, context);
		unblock_faults(uc);
		if (running)
			count_timed_tick(s, si, uc);
	} else if (s == NULL && mon->pid != 0 && is_control_kick(si, uc)) {
		live_control_poll();
	} else if (s == NULL &&
	    (mon->pid == 0 || !is_process_timer_signal(si))) {
		signal_chain_deliver(&e, sig);
	}
}
