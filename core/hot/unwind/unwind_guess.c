/*
 * Context: S.  Finds callers of code that no unwind table holds: generated
 * code, and functions of an assembler; for unwind_step.c and unwind_known.c, in
 * a walk.
 *
 * A wild register may have led the walk here, to memory that is not mapped:
 * each read is checked first.
 */
#include "unwind/unwind_guess.h"

#include "frame.h"

/*
 * libc unloads objects of its own without a hook, so each object is checked
 * once a walk.  Pages of generated code are checked one by one, as they come
 * and go, and may have protection keys.
 */
bool
unwind_guess_can_read(struct stack_walk *w, const struct module_text *t,
    uintptr_t at, size_t n)
{
	if (!t->readable || at < t->start || t->end - at < n)
		return false;
	if (t->object && t->start == w->sure)
		return true;
	if (!stack_read_probe_code(&w->memory, at, n))
		return false;
	if (t->object)
		w->sure = t->start;
	return true;
}

bool
unwind_guess_has_tables(struct stack_walk *w, const struct module_text *t)
{
	if (t->tables.index == 0 || t->tables.index == w->sure_index)
		return true;
	if (!stack_read_probe_table(&w->memory, t->tables.index) ||
	    (t->tables.from != t->tables.low &&
	    !stack_read_probe_table(&w->memory, t->tables.entries)))
		return false;
	w->sure_index = t->tables.index;
	return true;
}

/* Returns whether a guessed return address is in known code, or 0. */
static bool
is_in_known_code(struct stack_walk *w, uintptr_t pc, struct module_text *t)
{
	pc = frame_strip_pac(pc);
	if (pc != 0 && modules_find_text(pc - 1, t))
		return true;
	w->unknown = pc == 0 ? w->unknown : pc - 1;
	return pc == 0;
}

/*
 * Returns whether a guessed return address is in known code and, if that is an
 * object with tables, behind a call instruction: then the guess is about a
 * function of an assembler.
 */
static bool
is_return_address(struct stack_walk *w, uintptr_t pc)
{
	struct module_text t;

	if (!is_in_known_code(w, pc, &t))
		return false;
	pc = frame_strip_pac(pc);
	return pc == 0 || !t.object || t.tables.index == 0 ||
	    (unwind_guess_can_read(w, &t, pc - FRAME_CALL_BYTES,
	    FRAME_CALL_BYTES) &&
	    frame_is_after_call((const unsigned char *)pc));
}

/* Returns the code from pc on, or NULL if n bytes of it cannot be read. */
static const unsigned char *
readable_code_at(struct stack_walk *w, const struct module_text *t, size_t n)
{
	return unwind_guess_can_read(w, t, w->now.pc, n) ?
	    (const unsigned char *)w->now.pc : NULL;
}

unsigned
unwind_guess_sp_register(struct stack_walk *w, const struct module_text *t)
{
	const unsigned char *code = w->exact ? readable_code_at(w, t,
	    FRAME_RESTORE_BYTES) : NULL;

	return code == NULL ? 0 : frame_sp_restored_from(code);
}

/*
 * Returns whether this is a function without a frame, whose return address lies
 * at sp.  The bytes of that call tell, whether the object has tables or not.
 */
static bool
is_bare_leaf(struct stack_walk *w, const struct module_text *t)
{
	struct module_text from;
	uintptr_t pc;

	if (!w->exact || !t->object || !unwind_state_load(w, w->now.sp, 0, &pc))
		return false;
	pc = frame_strip_pac(pc);
	return pc != 0 && is_in_known_code(w, pc, &from) && from.object &&
	    unwind_guess_can_read(w, &from, pc - FRAME_CALL_BYTES,
	    FRAME_CALL_BYTES) && frame_is_leaf_call((const unsigned char *)pc,
	    w->now.pc);
}

/* Returns how far the innermost function has built its frame, by its bytes. */
static enum frame_prologue
frame_place_at(struct stack_walk *w, const struct module_text *t)
{
	const unsigned char *code;

	if (!w->exact)
		return FRAME_IN_BODY;
	if (is_bare_leaf(w, t))
		return FRAME_AT_EDGE;
	code = readable_code_at(w, t, FRAME_PROLOGUE_BYTES);
	return code == NULL ? FRAME_IN_BODY : frame_prologue(code);
}

/*
 * Returns whether the frame is on a stack that libc began.  Such a stack ends
 * in libc's own code, which has unwind tables: if the walk did not reach that
 * code, a 0 is a value like any other.
 */
static bool
is_libc_stack(const struct stack_walk *w)
{
	return config.stack != FORMAT_STACK_FP && w->now.sp >= w->libc_low &&
	    w->now.sp < w->libc_high;
}

/*
 * Moves w->now to a guessed caller, unless a 0 ends a stack of libc's too
 * early.  Results are those of unwind_state_move().
 */
static int
step_to_guess(struct stack_walk *w, const struct unwind_state_caller *c)
{
	return frame_strip_pac(c->pc) == 0 && is_libc_stack(w) ?
	    FORMAT_CUT_TABLE : unwind_state_move(w, c);
}

/*
 * Steps out of a function that has pushed nothing: the return address is in its
 * register, or at sp.
 */
static int
step_from_edge(struct stack_walk *w)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);

	c.sp = w->now.sp;
	if (!w->now.linked) {
		c.sp += 8;
		if (!unwind_state_load(w, w->now.sp, 0, &c.pc))
			return unwind_state_load_error(w);
	}
	return is_return_address(w, c.pc) ? step_to_guess(w, &c) :
	    FORMAT_CUT_TABLE;
}

/* Steps to the caller by the frame pointer that is stored at `frame`. */
static int
step_by_frame_pointer(struct stack_walk *w, uintptr_t frame, bool guess)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);
	struct module_text t;

	c.sp = frame + 16;
	/*
	 * With a frame pointer of 0 the return address need not be behind a
	 * call: the code that began the chain put it there.
	 */
	if (c.sp < 16 || frame < w->now.sp || !unwind_state_load(w, frame, 8,
	    &c.pc) || !unwind_state_load(w, frame, 0, &c.fp) || !(c.fp == 0 ?
	    is_in_known_code(w, c.pc, &t) : is_return_address(w, c.pc)))
		return FORMAT_CUT_TABLE;
	w->guessed = guess;
	w->now.framed = true;
	return step_to_guess(w, &c);
}

int
unwind_guess_caller(struct stack_walk *w, const struct module_text *t)
{
	const unsigned char *code = t->object ? readable_code_at(w, t,
	    FRAME_SIGRETURN_BYTES) : NULL;

	if (code != NULL && frame_is_sigreturn(code))
		return unwind_state_leave_signal(w);
	/*
	 * The code that begins a thread clears the frame pointer, as the ABI
	 * says, and so does Go's.  Without a chain of frames to it, it is a
	 * register like any other.
	 */
	if (!w->exact && w->now.framed && w->now.fp == 0)
		return w->linked_by_fp && !is_libc_stack(w) ?
		    UNWIND_STEP_OUTERMOST : FORMAT_CUT_TABLE;
	w->now.based = false;	/* it may have been saved at an unknown place */
	switch (frame_place_at(w, t)) {
	case FRAME_AT_EDGE:
		return step_from_edge(w);
	case FRAME_IN_PROLOGUE:
		return step_by_frame_pointer(w, w->now.sp, false);
	default:
		return w->now.framed ? step_by_frame_pointer(w, w->now.fp,
		    true) : FORMAT_CUT_REGISTER;
	}
}
