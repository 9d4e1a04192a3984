/*
 * Context: S.  Moves a walk from a frame to its caller, for unwind_step.c,
 * unwind_guess.c and unwind_known.c; see unwind_state.h.
 */
#include "unwind/unwind_state.h"

#include "frame.h"
#include "unwind/stack_walk.h"

int
unwind_state_move(struct stack_walk *w, const struct unwind_state_caller *c)
{
	const uintptr_t pc = frame_strip_pac(c->pc), sp = c->sp;

	if (pc == 0)
		return UNWIND_STEP_OUTERMOST;
	if (pc > STACK_WALK_ADDRESS)
		return FORMAT_CUT_UNMAPPED;
	if (!w->interrupted && !w->switched && (sp < w->now.sp ||
	    (sp == w->now.sp && !w->now.linked)))
		return FORMAT_CUT_ORDER;
	w->now.pc = pc;
	w->now.sp = sp;
	w->now.fp = c->fp;
	w->now.base = c->base;
	w->now.linked = w->interrupted && FRAME_HAS_LINK_REGISTER;
	w->now.all = NULL;
	w->exact = w->interrupted;
	return UNWIND_STEP_FOUND;
}

int
unwind_state_load_error(const struct stack_walk *w)
{
	return w->memory.frozen ? FORMAT_CUT_FROZEN : FORMAT_CUT_UNREADABLE;
}

/* The kernel has stored all registers in the handler's frame. */
int
unwind_state_leave_signal(struct stack_walk *w)
{
	const uintptr_t context = frame_signal_context(w->now.sp);
	struct unwind_state_caller c;

	if (!stack_read_load(&w->memory, context + FRAME_CONTEXT_PC, &c.pc) ||
	    !stack_read_load(&w->memory, context + FRAME_CONTEXT_SP, &c.sp) ||
	    !stack_read_load(&w->memory, context + FRAME_CONTEXT_FP, &c.fp) ||
	    !stack_read_load(&w->memory, context + FRAME_CONTEXT_BASE,
	    &c.base) || !stack_read_load(&w->memory,
	    context + FRAME_CONTEXT_LINK, &w->now.link))
		return unwind_state_load_error(w);
	/* The program called a null pointer; the stack does not end here. */
	if (frame_strip_pac(c.pc) == 0)
		return FORMAT_CUT_UNMAPPED;
	w->interrupted = true;
	w->now.framed = w->now.based = true;
	return unwind_state_move(w, &c);
}
