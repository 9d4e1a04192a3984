/*
 * Context: S.  Callers of code that no table holds: what was generated, and an
 * assembler's functions.
 *
 * A wild register may have led here, to what is not there any more: all that is
 * read is asked for.
 */
#include "unwind/unwind_step.h"

#include "frame.h"

/*
 * Can these bytes of code be read?  libc unloads objects of its own without a
 * hook: each is asked for once a walk; pages of generated code one by one, as
 * they come and go, and may have keys.
 */
static bool
is_code_readable(struct stack_walk *w, const struct module_text *t,
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
unwind_guess_tables_there(struct stack_walk *w, const struct module_text *t)
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

/* A return address that was guessed: in known code? */
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
 * And where that has tables, so that the guess is for an assembler's function,
 * behind a call.
 */
static bool
is_return_address(struct stack_walk *w, uintptr_t pc)
{
	struct module_text t;

	if (!is_in_known_code(w, pc, &t))
		return false;
	pc = frame_strip_pac(pc);
	return pc == 0 || !t.object || t.tables.index == 0 ||
	    (is_code_readable(w, &t, pc - FRAME_CALL_BYTES, FRAME_CALL_BYTES) &&
	    frame_is_after_call((const unsigned char *)pc));
}

/* Its code, as far as n bytes from pc on; NULL: that cannot be looked at. */
static const unsigned char *
readable_code_at(struct stack_walk *w, const struct module_text *t, size_t n)
{
	return is_code_readable(w, t, w->now.pc, n) ?
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
 * Is this a function without a frame, called from what lies at sp?  The bytes
 * of that call tell, whether the object has tables or not.
 */
static bool
is_bare_leaf(struct stack_walk *w, const struct module_text *t)
{
	struct module_text from;
	uintptr_t pc;

	if (!w->exact || !t->object || !unwind_step_load(w, w->now.sp, 0, &pc))
		return false;
	pc = frame_strip_pac(pc);
	return pc != 0 && is_in_known_code(w, pc, &from) && from.object &&
	    is_code_readable(w, &from, pc - FRAME_CALL_BYTES,
	    FRAME_CALL_BYTES) && frame_is_leaf_call((const unsigned char *)pc,
	    w->now.pc);
}

/* The innermost function's place, by its bytes. */
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
 * A stack that libc began ends in libc's own code, which has unwind tables: if
 * the walk did not reach that code, a 0 is a value like any other.
 */
static bool
is_libc_stack(const struct stack_walk *w)
{
	return config.stack != FORMAT_STACK_FP && w->now.sp >= w->libc_low &&
	    w->now.sp < w->libc_high;
}

static int
step_to_guess(struct stack_walk *w, const struct unwind_step_caller *c)
{
	return frame_strip_pac(c->pc) == 0 && is_libc_stack(w) ?
	    FORMAT_CUT_TABLE : unwind_step_to(w, c);
}

/* Nothing was pushed: the return address is in its register, or at sp. */
static int
step_from_edge(struct stack_walk *w)
{
	struct unwind_step_caller c = unwind_step_init_caller(w);

	c.sp = w->now.sp;
	if (!w->now.linked) {
		c.sp += 8;
		if (!unwind_step_load(w, w->now.sp, 0, &c.pc))
			return unwind_step_load_error(w);
	}
	return is_return_address(w, c.pc) ? step_to_guess(w, &c) :
	    FORMAT_CUT_TABLE;
}

/* By the frame pointer that lies at `frame`. */
static int
step_by_frame_pointer(struct stack_walk *w, uintptr_t frame, bool guess)
{
	struct unwind_step_caller c = unwind_step_init_caller(w);
	struct module_text t;

	c.sp = frame + 16;
	/* The end of a chain was planted there, behind no call. */
	if (c.sp < 16 || frame < w->now.sp || !unwind_step_load(w, frame, 8,
	    &c.pc) || !unwind_step_load(w, frame, 0, &c.fp) || !(c.fp == 0 ?
	    is_in_known_code(w, c.pc, &t) : is_return_address(w, c.pc)))
		return FORMAT_CUT_TABLE;
	w->guessed = guess;
	w->now.framed = true;
	return step_to_guess(w, &c);
}

/* No table holds it: generated code, or an assembler's without any. */
int
unwind_guess_caller(struct stack_walk *w, const struct module_text *t)
{
	const unsigned char *code = t->object ? readable_code_at(w, t,
	    FRAME_SIGRETURN_BYTES) : NULL;

	if (code != NULL && frame_is_sigreturn(code))
		return unwind_step_signal(w);
	/*
	 * What begins a thread clears it, says the ABI, and Go's does.  Without
	 * a chain to it, it is a register like any other.
	 */
	if (!w->exact && w->now.framed && w->now.fp == 0)
		return w->linked_by_fp && !is_libc_stack(w) ?
		    UNWIND_STEP_OUTERMOST : FORMAT_CUT_TABLE;
	w->now.based = false;	/* it may have been saved, who knows where */
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
