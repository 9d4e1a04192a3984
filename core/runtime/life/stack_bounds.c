/*
 * Context: T.  Where a thread's stack is, as far as that is sure.
 *
 * What is said here is loaded from without a question, by the thread's own
 * ticks, as long as it lives.  libc keeps what it knows of a thread, which
 * pthread_self() points to, at the end of its stack, whoever's memory that is.
 */
#include "life/stack_bounds.h"

#include "frame.h"
#include "unwind/stack_read.h"

#include <pthread.h>

#define NEAR	((uintptr_t)64 << 10)	/* of a thread that just began */

STATE_START static uintptr_t
stack_page_of(uintptr_t at)
{
	return at & ~(config.page - 1);
}

STATE_START void
stack_bounds_find(struct thread_slot *s)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const uintptr_t self = (uintptr_t)pthread_self();

	s->stack_low = stack_page_of(here);
	s->stack_high = s->stack_low + config.page;
	if (here < config.stack_top && config.stack_top - here <
	    STACK_READ_GROWTH) {
		s->stack_grows = true;
		s->stack_high = stack_page_of(config.stack_top) + config.page;
		return;
	}
	if (self < here || self - here > NEAR)
		return;
	s->stack_high = self & ~(uintptr_t)7;
	/* From the end down; what lies behind self may be of it, too. */
	if (FRAME_ABOVE_SELF != 0 && s->stack_bytes > FRAME_ABOVE_SELF &&
	    self + FRAME_ABOVE_SELF - s->stack_bytes < s->stack_low)
		s->stack_low = stack_page_of(self + FRAME_ABOVE_SELF -
		    s->stack_bytes + config.page - 1);
}
