/*
 * Context: T.  Begins and ends the profiling of a thread, in that thread, for
 * the start of a process and for hooks; see thread.h.
 */
#include "life/thread.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "base/str.h"
#include "base/thread_clock.h"
#include "clock/clock_switch.h"
#include "clock/sleep_sampler.h"
#include "clock/wall_sampler.h"
#include "count/record.h"
#include "count/thread_arcs.h"
#include "heap/alloc_thread.h"
#include "life/stack_bounds.h"
#include "signal/altstack.h"
#include "signal/sigmask.h"
#include "store/store.h"
#include "thread/signal_chain.h"
#include "thread/thread_life.h"
#include "thread/thread_record.h"
#include "thread/thread_slot.h"

#define MAP_NS		50000u
#define MAP_TRIES	40

_Static_assert(sizeof(struct signal_mask_program) ==
    sizeof(((struct thread_slot *)NULL)->birth.asked),
    "a slot carries it to the new thread");

/*
 * Begins the calling thread in the slot s: mask, stack, life and clock.  asked:
 * as sigmask_init_thread() takes it.
 */
STATE_START static void
begin_thread(struct thread_slot *s, int tid,
    const struct signal_mask_program *asked)
{
	s->tid = tid;
	s->native = true;
	s->pointer = arch_thread_pointer(config.pointer_direct);
	s->records.thread = 0;
	thread_slot_self = s;
	sigmask_init_thread(asked, s->birth.signal_blocked);
	altstack_install(s);
	stack_bounds_find(s);
	thread_life_begin(s);
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	thread_slot_index_add(s);
	thread_slot_drop_duplicate(s);
	thread_clock_start(s);
	s->sleep_check = clock_switch_may_start(s);
}

STATE_START void
thread_start_main(bool forked)
{
	struct thread_slot *s = thread_slot_take();

	if (s == NULL)
		return;
	s->main = true;
	s->cpu.start = mon->lives.first_cpu;
	s->life.born = mon->lives.birth_mono;
	s->life.cpu = mon->lives.first_cpu;
	begin_thread(s, mon->pid, forked ? &signal_mask_own.program : NULL);
}

void
thread_attach(void)
{
	struct thread_slot *s = atomic_load(&mon->frozen) ? NULL :
	    thread_slot_take();
	struct signal_mask_program asked = signal_mask_own.program;

	if (s == NULL)
		return;
	s->main = false;
	s->stack.bytes = 0;	/* left by a thread that was not created */
	s->birth.signal_blocked = false;
	thread_life_set_met(s);
	begin_thread(s, sys_gettid(), &asked);
}

struct thread_slot *
thread_prepare(void *(*fn)(void *), void *argument, size_t stack_bytes)
{
	struct thread_slot *s;

	if (atomic_load(&mon->frozen)) {
		loss_count(LOSS_THREAD_FROZEN, 1);
		return NULL;
	}
	signal_chain_recheck();	/* Go's runtime has set its handlers by now */
	s = thread_slot_take();
	if (s == NULL)
		return NULL;
	s->birth.routine = fn;
	s->birth.argument = argument;
	s->stack.bytes = stack_bytes;
	mem_copy(s->birth.asked, &signal_mask_own.program,
	    sizeof(s->birth.asked));
	s->birth.signal_blocked = sigmask_holds_tick();
	s->main = false;
	s->life.born = sys_clock(CLOCK_MONOTONIC);
	s->life.cpu = s->life.delay = 0;
	if (config.clock == FORMAT_CLOCK_WALL)
		sleep_sampler_begin(s);
	return s;
}

void
thread_abandon(struct thread_slot *s)
{
	s->wall.epoch = 0;
	thread_slot_free(s);
}

/*
 * Returns whether the thread has a slot already: a signal handler has set an
 * alternate stack, whose hook called thread_attach().  If not, gives the thread
 * the slot s.  A handler that comes from here on finds that slot, which gets
 * its tid in a moment.
 */
static bool
is_attached(struct thread_slot *s)
{
	struct thread_slot *none = NULL;

	return !__atomic_compare_exchange_n(&thread_slot_self, &none, s, false,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void *
thread_run(void *slot)
{
	struct thread_slot *s = slot;
	void *(*fn)(void *) = s->birth.routine;
	void *argument = s->birth.argument;
	void *ret;

	if (atomic_load(&mon->frozen)) {
		loss_count(LOSS_THREAD_FROZEN, 1);
		thread_abandon(s);
		return fn(argument);
	}
	if (is_attached(s))
		thread_abandon(s);
	else
		begin_thread(s, sys_gettid(), (const void *)s->birth.asked);
	ret = fn(argument);
	thread_end();
	return ret;
}

/*
 * Waits while another thread reads the map: 26 us at 50 mappings, 1.3 ms at
 * 5,000.
 */
static void
await_map_reader(void)
{
	const struct timespec a_while = {0, MAP_NS};

	for (unsigned i = 0;
	    i < MAP_TRIES && atomic_load(&mon->module_busy) != 0; i++)
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
}

/*
 * Counts the thread's pending ticks by the name of the thread, while it has
 * one, and of the module at their address.  A tick that comes meanwhile waits.
 */
static void
count_pending_ticks(struct thread_slot *s)
{
	sys_sigset ticks = signal_mask_tick(), before;

	if ((s->pending.ns == 0 && s->pending.backlog == 0) ||
	    atomic_load(&mon->frozen) || store_header() == NULL)
		return;
	sys_sigprocmask(SIG_BLOCK, &ticks, &before);
	await_map_reader();
	if (atomic_exchange(&s->busy, 1) == 0) {
		record_flush_pending(s);
		atomic_store_explicit(&s->busy, 0, memory_order_release);
	}
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Ends the profiling of the calling thread, whose slot is s. */
static void
end_live_thread(struct thread_slot *s)
{
	if (!atomic_load(&mon->frozen))
		thread_life_end(s);
	if (s->main)
		return;
	count_pending_ticks(s);
	if (s->records.thread != 0 && !atomic_load(&mon->frozen)) {
		thread_record_times(s);
		if (store_header() != NULL) {
			struct format_thread *t = store_at(s->records.thread);

			t->end_mono = sys_clock(CLOCK_MONOTONIC);
		}
	}
	if (!atomic_load(&mon->frozen)) {
		sleep_sampler_end(s);
		wall_sampler_thread_exit(0);
	}
	/*
	 * The clock and counted calls go on, because destructors are still to
	 * run.
	 */
	thread_arcs_end();
	alloc_thread_exit();
	atomic_store(&s->state, THREAD_SLOT_ENDED);
	atomic_fetch_sub(&mon->live, 1);
}

void
thread_end(void)
{
	struct thread_slot *s = thread_slot_self;
	sys_sigset before;
	bool blocks;

	if (s == NULL || !thread_slot_is_valid(s) ||
	    atomic_load(&s->state) != THREAD_SLOT_LIVE)
		return;
	/*
	 * The thread may let itself be cancelled at any instruction: libc does
	 * that in a signal handler, and what the thread holds here would be
	 * held for good.
	 */
	blocks = !atomic_load(&mon->frozen);
	if (blocks)
		thread_slot_block_signals(&before);
	end_live_thread(s);
	if (blocks)
		thread_slot_restore_mask(&before);
}
