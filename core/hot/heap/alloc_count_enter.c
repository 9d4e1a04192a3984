/*
 * Context: S.  Finds the alloc_thread of a call of an allocation function, or
 * the loss that it counts as, for the inline functions of alloc_count.h, in any
 * thread and any signal handler; see there.
 */
#include "heap/alloc_count.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "heap/alloc_slow.h"
#include "store/store.h"
#include "unwind/stack_read.h"

/*
 * Returns whether nothing is counted here: nothing is profiled, this is a fork
 * child that has not begun yet, or the profile is sealed.
 */
static bool
is_unstarted_child(void)
{
	return mon == NULL || mon->pid == 0 ||
	    !atomic_load_explicit(&mon->running, memory_order_relaxed);
}

/*
 * Returns whether the alloc_thread is that of a fork child's parent, wiped by
 * the fork, so that no thread owns it yet.
 */
static bool
is_wiped_by_fork(const struct alloc_thread *l)
{
	return l != NULL && atomic_load(&l->state) == 0;
}

/*
 * Returns whether there was no file, or no room in it for the alloc_thread, at
 * the last attempt.
 */
static bool
has_no_file_room(const struct alloc_thread *l)
{
	return store_header() == NULL || (l != NULL && l->homeless ==
	    atomic_load_explicit(&mon->store.generation,
	    memory_order_relaxed));
}

/*
 * Returns the calling thread's alloc_thread, with its records in the file, or
 * NULL if the thread cannot count.  A signal that arrives meanwhile is
 * delivered as soon as the alloc_thread is there; if its handler forks, the
 * child finds the alloc_thread wiped.
 */
static struct alloc_thread *
own_alloc_thread(void)
{
	struct alloc_slow s = { .thread = alloc_thread_self };

	if (s.thread != NULL && alloc_thread_is_current(s.thread))
		return s.thread;
	if (has_no_file_room(s.thread) && store_is_exhausted())
		return NULL;
	do {
		if (is_wiped_by_fork(s.thread))
			s.thread = NULL;
		alloc_slow_run(&s);
	} while (is_wiped_by_fork(s.thread));
	return s.thread != NULL && alloc_thread_is_current(s.thread) ?
	    s.thread : NULL;
}

/* Returns whether sp lies on the stack that the thread of s was made with. */
static bool
is_on_stack(const struct thread_slot *s, uintptr_t sp)
{
	return sp < s->stack.high && (s->stack.grows ?
	    s->stack.high - sp <= STACK_READ_GROWTH : sp >= s->stack.low);
}

/*
 * Returns whether this call is nested in another: made by a signal handler, or
 * by the real function itself.  A call from as far out on the same stack as the
 * call under way is not nested: a handler has left that call by siglongjmp().
 */
static bool
is_nested(const struct alloc_thread *l, const struct alloc_caller *from)
{
	const struct thread_slot *s = thread_slot_self;

	return l->inside != 0 && (s == NULL || from->sp < l->inside ||
	    !is_on_stack(s, from->sp) || !is_on_stack(s, l->inside));
}

/*
 * Returns whether the real function itself makes the call, as reallocarray()
 * calls realloc().  The call under way gives out its result.  A signal's frame
 * is larger than OWN_CALL.
 */
#define OWN_CALL	512u

static bool
is_own_call(const struct alloc_thread *l, const struct alloc_caller *from)
{
	return l->inside - from->sp < OWN_CALL;
}

/* Returns whether allocations are not counted now and none has been counted. */
static bool
has_never_counted(void)
{
	return lineage_is_paused(LINEAGE_UNHEAPED) &&
	    atomic_load_explicit(&mon->blocks, memory_order_relaxed) == NULL;
}

enum loss
alloc_count_store_loss(void)
{
	switch (store_refusal_loss()) {
	case LOSS_STORE_FULL:
		return LOSS_HEAP_FULL;
	case LOSS_STORE_CLOSED:
		return LOSS_HEAP_CLOSED;
	case LOSS_FROZEN:
		return LOSS_HEAP_FROZEN;
	default:
		return LOSS_HEAP_SPACE;
	}
}

/*
 * Counts a lost call, because the thread has no alloc_thread.  A call that
 * allocates while nothing is counted is no loss, nor one that frees before
 * anything has been counted.
 */
static void
count_lost_call(bool gives)
{
	enum loss why = LOSS_HEAP_PLACE;

	if (gives ? lineage_is_paused(LINEAGE_UNHEAPED) :
	    atomic_load(&mon->blocks) == NULL)
		return;
	if (gives && atomic_load(&mon->frozen))
		why = LOSS_HEAP_FROZEN;
	else if (gives && store_header() == NULL &&
	    atomic_load(&mon->store.state) != STORE_BUSY)
		why = LOSS_HEAP_NONE;
	else if (gives && has_no_file_room(alloc_thread_self))
		why = alloc_count_store_loss();
	loss_count(why, 1);
}

struct alloc_thread *
alloc_count_enter_slow(const struct alloc_caller *from, bool gives)
{
	struct alloc_thread *l = alloc_thread_self;
	bool nested;

	if (is_unstarted_child())
		return NULL;
	nested = l != NULL && is_nested(l, from);
	if (!nested) {
		alloc_slow_take_order(l);
		l = alloc_thread_self;
	}
	if (has_never_counted())
		return NULL;
	if (nested) {
		if (!is_own_call(l, from))
			loss_count(LOSS_HEAP_NESTED, 1);
		return NULL;
	}
	if (l != NULL && l->inside != 0) {
		l->inside = from->sp;	/* calls made meanwhile are nested */
		alloc_thread_recover(l);
	}
	do {
		l = own_alloc_thread();
		if (l != NULL)
			alloc_thread_sync(l);
	} while (l != NULL && !alloc_count_begin(l, from));
	if (l == NULL)
		count_lost_call(gives);
	return l;
}

/*
 * Returns whether a call that maps memory is part of the allocation under way.
 * Behind a seccomp filter that is not known: signals cannot be blocked there,
 * so a handler may have made the call.
 */
static bool
is_within_allocation(const struct alloc_thread *l,
    const struct alloc_caller *from)
{
	return l != NULL && l->inside != 0 && l->inside != l->mapping &&
	    is_nested(l, from) && !alloc_thread_is_on_stack(l, from->sp) &&
	    !is_unstarted_child() && alloc_thread_is_current(l) &&
	    !atomic_load(&mon->frozen);
}

struct alloc_thread *
alloc_count_enter_map(const struct alloc_caller *from, bool gives)
{
	struct alloc_thread *l = alloc_thread_self;

	if (is_within_allocation(l, from))
		return l;
	l = alloc_count_enter(from, gives);
	if (l != NULL)
		l->mapping = from->sp;
	return l;
}
