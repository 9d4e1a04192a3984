/*
 * Context: T.  Finds the bounds of a thread's stack, as far as they are
 * certain, for the begin of a thread (thread.c).
 *
 * The thread's ticks read the words within these bounds without a check, as
 * long as the thread lives.  libc keeps its data of a thread, to which
 * pthread_self() points, at the end of the thread's stack, even if the stack is
 * the program's memory.
 */
#include "life/stack_bounds.h"

#include "frame.h"
#include "unwind/stack_read.h"

#include <pthread.h>

/* Distance of the stack's end in a thread that just began. */
#define NEAR	((uintptr_t)64 << 10)

STATE_START static uintptr_t
stack_page_of(uintptr_t at)
{
	return at & ~(config.page - 1);
}

STATE_START void
stack_bounds_find(struct thread_slot *s)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t self;

	s->stack.low = stack_page_of(here);
	s->stack.high = s->stack.low + config.page;
	if (here < config.stack_top && config.stack_top - here <
	    STACK_READ_GROWTH) {
		s->stack.grows = true;
		s->stack.high = stack_page_of(config.stack_top) + config.page;
		return;
	}
	/* libc's function costs a fork's child a page fault: not before */
	self = (uintptr_t)pthread_self();
	if (self < here || self - here > NEAR)
		return;
	s->stack.high = self & ~(uintptr_t)7;
	/*
	 * Counts the size from the end down; the words behind pthread_self()
	 * may belong to the stack, too.
	 */
	if (FRAME_ABOVE_SELF != 0 && s->stack.bytes > FRAME_ABOVE_SELF &&
	    self + FRAME_ABOVE_SELF - s->stack.bytes < s->stack.low)
		s->stack.low = stack_page_of(self + FRAME_ABOVE_SELF -
		    s->stack.bytes + config.page - 1);
}
