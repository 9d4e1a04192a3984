/* Context: T.  The life of a thread that we clock. */
#include "thread.h"

#include "altstack.h"
#include "bounds.h"
#include "clock.h"
#include "clockswitch.h"
#include "record.h"
#include "lane.h"
#include "shard.h"
#include "sigmask.h"
#include "sleeper.h"
#include "slot.h"
#include "store.h"
#include "str.h"
#include "threadrecord.h"
#include "view.h"
#include "wall.h"

#define MAP_NS		50000u
#define MAP_TRIES	40

_Static_assert(sizeof(struct mask_asked) ==
    sizeof ((struct slot *)NULL)->asked, "a slot carries it to the new thread");

STATE_START static void
begin(struct slot *s, int tid, const struct mask_asked *asked)
{
	s->tid = tid;
	s->native = true;
	s->pointer = arch_thread_pointer(config.pointer_direct);
	s->thread = 0;
	slot_self = s;
	sigmask_enter_thread(asked, s->held);
	altstack_take(s);
	bounds_find(s);
	atomic_store(&s->state, SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	slot_enter(s);
	slot_retire_twin(s);
	clock_start(s);
	s->watched = clockswitch_watches(s);
}

STATE_START void
thread_start_main(bool forked)
{
	struct slot *s = slot_take();

	if (s == NULL)
		return;
	s->main = true;
	s->cpu_start = mon->cpu_birth_ns;
	begin(s, mon->pid, forked ? &mask_own.asked : NULL);
}

void
thread_meet(void)
{
	struct slot *s = atomic_load(&mon->frozen) ? NULL : slot_take();
	struct mask_asked asked = mask_own.asked;

	if (s == NULL)
		return;
	s->main = false;
	s->stack_bytes = 0;	/* of a thread that another was to be */
	s->held = false;
	begin(s, sys_gettid(), &asked);
}

struct slot *
thread_prepare(void *(*fn)(void *), void *argument, size_t stack_bytes)
{
	struct slot *s;

	if (atomic_load(&mon->frozen)) {
		loss_count(LOSS_THREAD_FROZEN, 1);
		return NULL;
	}
	view_recheck();	/* Go's runtime has its handlers in by now */
	s = slot_take();
	if (s == NULL)
		return NULL;
	s->start = fn;
	s->argument = argument;
	s->stack_bytes = stack_bytes;
	mem_copy(s->asked, &mask_own.asked, sizeof s->asked);
	s->held = sigmask_held();
	s->main = false;
	if (config.clock == FORMAT_CLOCK_WALL)
		sleeper_expect(s);
	return s;
}

void
thread_abandon(struct slot *s)
{
	s->wall_epoch = 0;
	slot_free(s);
}

/*
 * Has a handler that set an alternate stack come first, thread_meet()?  One
 * that comes from here on finds the slot, and its thread a tid in a moment.
 */
static bool
is_met(struct slot *s)
{
	struct slot *none = NULL;

	return !__atomic_compare_exchange_n(&slot_self, &none, s, false,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void *
thread_run(void *slot)
{
	struct slot *s = slot;
	void *(*fn)(void *) = s->start;
	void *argument = s->argument;
	void *ret;

	if (atomic_load(&mon->frozen)) {
		loss_count(LOSS_THREAD_FROZEN, 1);
		thread_abandon(s);
		return fn(argument);
	}
	if (is_met(s))
		thread_abandon(s);
	else
		begin(s, sys_gettid(), (const void *)s->asked);
	ret = fn(argument);
	thread_end();
	return ret;
}

/* Another thread reads the map: 26 us at 50 mappings, 1.3 ms at 5,000. */
static void
await_map(void)
{
	const struct timespec a_while = {0, MAP_NS};
	unsigned i;

	for (i = 0; i < MAP_TRIES && atomic_load(&mon->module_busy) != 0; i++)
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
}

/*
 * By its own name, while it has one, and by that of its place.  A tick
 * meanwhile is kept for after.
 */
static void
count_what_waits(struct slot *s)
{
	sys_sigset ticks = mask_tick(), before;

	if ((s->held_ns == 0 && s->backlog == 0) || atomic_load(&mon->frozen) ||
	    store_header() == NULL)
		return;
	sys_sigprocmask(SIG_BLOCK, &ticks, &before);
	await_map();
	if (atomic_exchange(&s->busy, 1) == 0) {
		record_last(s);
		atomic_store_explicit(&s->busy, 0, memory_order_release);
	}
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

void
thread_end(void)
{
	struct slot *s = slot_self;

	if (s == NULL || !slot_valid(s) ||
	    atomic_load(&s->state) != SLOT_LIVE || s->main)
		return;
	count_what_waits(s);
	if (s->thread != 0 && !atomic_load(&mon->frozen)) {
		threadrecord_times(s);
		if (store_header() != NULL) {
			struct format_thread *t = store_at(s->thread);

			t->end_mono = sys_clock(CLOCK_MONOTONIC);
		}
	}
	if (!atomic_load(&mon->frozen)) {
		sleeper_end(s);
		wall_note_end(0);
	}
	/* Clock and calls go on: destructors are still to run. */
	shard_leave();
	lane_leave();
	atomic_store(&s->state, SLOT_ENDED);
	atomic_fetch_sub(&mon->live, 1);
}
