/* Context: T.  The life of a thread that we clock. */
#include "thread.h"

#include "altstack.h"
#include "clock.h"
#include "record.h"
#include "sigview.h"
#include "slot.h"
#include "store.h"
#include "view.h"

static void
begin(struct slot *s, int tid)
{
	s->tid = tid;
	s->native = true;
	s->thread = 0;
	slot_self = s;
	sigview_enter_thread(s->hidden);
	altstack_take(s);
	atomic_store(&s->state, SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	if (clock_arm_coarse(s) == 0)
		return;
	if (!mon->process_tier && sigview_may_use_itimer() &&
	    clock_arm_process() == 0)
		return;
	if (!mon->process_tier)
		loss_count(LOSS_THREAD_CLOCK, 1);
}

void
thread_start_main(void)
{
	struct slot *s = slot_take();

	if (s == NULL)
		return;
	s->main = true;
	s->cpu_start = mon->cpu_birth_ns;
	begin(s, mon->pid);
}

struct slot *
thread_prepare(void *(*fn)(void *), void *argument)
{
	struct slot *s;

	if (atomic_load(&mon->frozen)) {
		loss_count(LOSS_THREAD_FROZEN, 1);
		return NULL;
	}
	s = slot_take();
	if (s == NULL)
		return NULL;
	s->start = fn;
	s->argument = argument;
	s->hidden = view_hidden;
	s->main = false;
	return s;
}

void
thread_abandon(struct slot *s)
{
	atomic_store(&s->state, SLOT_FREE);
}

void *
thread_run(void *slot)
{
	struct slot *s = slot;
	void *(*fn)(void *) = s->start;
	void *argument = s->argument;
	void *ret;

	begin(s, sys_gettid());
	ret = fn(argument);
	thread_end();
	return ret;
}

void
thread_end(void)
{
	struct slot *s = slot_self;

	if (s == NULL || !slot_valid(s) ||
	    atomic_load(&s->state) != SLOT_LIVE || s->main)
		return;
	if (s->thread != 0 && !atomic_load(&mon->frozen)) {
		record_times(s);
		if (store_header() != NULL) {
			struct format_thread *t = store_at(s->thread);

			t->end_mono = sys_clock(CLOCK_MONOTONIC);
		}
	}
	/* The clock goes on: destructors are still to run. */
	atomic_store(&s->state, SLOT_ENDED);
	atomic_fetch_sub(&mon->live, 1);
}
