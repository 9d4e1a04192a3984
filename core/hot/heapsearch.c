/* Context: S.  Searches that take long; see heapsearch.h. */
#include "heapsearch.h"

#include "control.h"
#include "recall.h"
#include "slot.h"
#include "store.h"

#define ROOM	4096u		/* bytes: some paths, or it is not worth it */

static void
search_path(void *arg)
{
	struct heapsearch *s = arg;

	/* What a child goes on with is not led to a file that its own has not. */
	if (s->lane->generation == LANE_OF_PARENT)
		return;
	/* Frozen, there is no new file, and no clock to ask. */
	if (atomic_load(&mon->frozen) && !lane_is_current(s->lane))
		return;
	if (!store_wait() || (!lane_is_current(s->lane) &&
	    !lane_follow(s->lane)))
		return;
	if (s->heap == RECALL_LOST) {
		if (store_reserve(ROOM) != 0)
			return;
		recall_forget(&s->lane->recall);
		s->heap = 0;
	}
	if (s->from != NULL)
		s->heap = s->map ? recall_map(s->lane, s->from) :
		    recall_search(s->lane, s->from);
}

/*
 * Puts our handler of faults in force where no tick does that, because the
 * process has no clocks.  A vfork child has actions of its own, but shares
 * view.segv_installed: a handler that it set would be missing in its parent.
 */
static void
guard_walks(void)
{
	if (view.segv_installed || atomic_load_explicit(&mon->segv_asked,
	    memory_order_relaxed) || (atomic_load(&view.vforks) != 0 &&
	    sys_getpid() != mon->pid))
		return;
	view_guard_walks(sys_clock(CLOCK_THREAD_CPUTIME_ID));
}

void
heapsearch_apart(struct heapsearch *s)
{
	sys_sigset before;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		if (s->lane != NULL)
			search_path(s);
		return;
	}
	guard_walks();
	slot_shut(&before);
	if (s->lane == NULL)
		s->lane = lane_take();
	if (s->lane != NULL)
		arch_call_on(lane_stack(s->lane), search_path, s);
	slot_unshut(&before);
}

static void
look_for_orders(void *unused)
{
	(void)unused;
	control_look();
}

void
heapsearch_obey(struct lane *l)
{
	sys_sigset before;

	if (!control_has_order())
		return;
	/*
	 * Behind a seccomp filter every order is refused.  That needs neither
	 * blocked signals nor another stack, so no system call is made.
	 */
	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		look_for_orders(NULL);
		return;
	}
	if (sys_getpid() != mon->pid)
		return;
	slot_shut(&before);
	if (l == NULL)
		l = lane_take();
	if (l != NULL)
		arch_call_on(lane_stack(l), look_for_orders, NULL);
	slot_unshut(&before);
}
