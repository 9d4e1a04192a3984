/*
 * Context: S.  Callers of code that no table holds: what was generated, and an
 * assembler's functions.
 *
 * A wild register may have led here, to what is not there any more: all that is
 * read is asked for.
 */
#include "step.h"

#include "frame.h"

/*
 * Can these bytes of code be read?  libc unloads objects of its own without a
 * hook: each is asked for once a walk; pages of generated code one by one, as
 * they come and go, and may have keys.
 */
static bool
is_readable(struct walk *w, const struct module_text *t, uintptr_t at, size_t n)
{
	if (!t->readable || at < t->start || t->end - at < n)
		return false;
	if (t->object && t->start == w->sure)
		return true;
	if (!memory_try_code(&w->memory, at, n))
		return false;
	if (t->object)
		w->sure = t->start;
	return true;
}

bool
guess_tables(struct walk *w, const struct module_text *t)
{
	if (t->tables.index == 0 || t->tables.index == w->sure_index)
		return true;
	if (!memory_try_table(&w->memory, t->tables.index) ||
	    (t->tables.from != t->tables.low &&
	    !memory_try_table(&w->memory, t->tables.entries)))
		return false;
	w->sure_index = t->tables.index;
	return true;
}

/* A return address that was guessed: in known code? */
static bool
is_code(struct walk *w, uintptr_t pc, struct module_text *t)
{
	pc = frame_bare(pc);
	if (pc != 0 && modules_text(pc - 1, t))
		return true;
	w->unknown = pc == 0 ? w->unknown : pc - 1;
	return pc == 0;
}

/*
 * And where that has tables, so that the guess is for an assembler's function,
 * behind a call.
 */
static bool
is_called_from(struct walk *w, uintptr_t pc)
{
	struct module_text t;

	if (!is_code(w, pc, &t))
		return false;
	pc = frame_bare(pc);
	return pc == 0 || !t.object || t.tables.index == 0 ||
	    (is_readable(w, &t, pc - FRAME_CALL_BYTES, FRAME_CALL_BYTES) &&
	    frame_is_call((const unsigned char *)pc));
}

/* Its code, as far as n bytes from pc on; NULL: that cannot be looked at. */
static const unsigned char *
code_of(struct walk *w, const struct module_text *t, size_t n)
{
	return is_readable(w, t, w->now.pc, n) ?
	    (const unsigned char *)w->now.pc : NULL;
}

unsigned
guess_restore(struct walk *w, const struct module_text *t)
{
	const unsigned char *code = w->exact ? code_of(w, t,
	    FRAME_RESTORE_BYTES) : NULL;

	return code == NULL ? 0 : frame_restore(code);
}

/*
 * Is this a function without a frame, called from what lies at sp?  The bytes of
 * that call tell, whether the object has tables or not.
 */
static bool
is_bare_leaf(struct walk *w, const struct module_text *t)
{
	struct module_text from;
	uintptr_t pc;

	if (!w->exact || !t->object || !step_load(w, w->now.sp, 0, &pc))
		return false;
	pc = frame_bare(pc);
	return pc != 0 && is_code(w, pc, &from) && from.object &&
	    is_readable(w, &from, pc - FRAME_CALL_BYTES, FRAME_CALL_BYTES) &&
	    frame_is_leaf_call((const unsigned char *)pc, w->now.pc);
}

/* The innermost function's place, by its bytes. */
static enum frame_place
place_of(struct walk *w, const struct module_text *t)
{
	const unsigned char *code;

	if (!w->exact)
		return FRAME_IN_BODY;
	if (is_bare_leaf(w, t))
		return FRAME_AT_EDGE;
	code = code_of(w, t, FRAME_PLACE_BYTES);
	return code == NULL ? FRAME_IN_BODY : frame_place(code);
}

/*
 * A stack that libc began ends in libc's own code, which has unwind tables: if
 * the walk did not reach that code, a 0 is a value like any other.
 */
static bool
is_begun_by_libc(const struct walk *w)
{
	return config.stack != FORMAT_STACK_FP && w->now.sp >= w->libc_low &&
	    w->now.sp < w->libc_high;
}

static int
follow_guess(struct walk *w, const struct caller *c)
{
	return frame_bare(c->pc) == 0 && is_begun_by_libc(w) ?
	    FORMAT_CUT_TABLE : step_to(w, c);
}

/* Nothing was pushed: the return address is in its register, or at sp. */
static int
follow_edge(struct walk *w)
{
	struct caller c = step_caller(w);

	c.sp = w->now.sp;
	if (!w->now.linked) {
		c.sp += 8;
		if (!step_load(w, w->now.sp, 0, &c.pc))
			return step_unreadable(w);
	}
	return is_called_from(w, c.pc) ? follow_guess(w, &c) :
	    FORMAT_CUT_TABLE;
}

/* By the frame pointer that lies at `frame`. */
static int
follow_link(struct walk *w, uintptr_t frame, bool guess)
{
	struct caller c = step_caller(w);
	struct module_text t;

	c.sp = frame + 16;
	/* The end of a chain was planted there, behind no call. */
	if (c.sp < 16 || frame < w->now.sp || !step_load(w, frame, 8, &c.pc) ||
	    !step_load(w, frame, 0, &c.fp) || !(c.fp == 0 ?
	    is_code(w, c.pc, &t) : is_called_from(w, c.pc)))
		return FORMAT_CUT_TABLE;
	w->guessed = guess;
	w->now.framed = true;
	return follow_guess(w, &c);
}

/* No table holds it: generated code, or an assembler's without any. */
int
guess_caller(struct walk *w, const struct module_text *t)
{
	const unsigned char *code = t->object ? code_of(w, t,
	    FRAME_SIGNAL_BYTES) : NULL;

	if (code != NULL && frame_is_signal(code))
		return step_signal(w);
	/*
	 * What begins a thread clears it, says the ABI, and Go's does.  Without
	 * a chain to it, it is a register like any other.
	 */
	if (!w->exact && w->now.framed && w->now.fp == 0)
		return w->linked_by_fp && !is_begun_by_libc(w) ? OUTERMOST :
		    FORMAT_CUT_TABLE;
	w->now.based = false;	/* it may have been saved, who knows where */
	switch (place_of(w, t)) {
	case FRAME_AT_EDGE:
		return follow_edge(w);
	case FRAME_IN_PROLOGUE:
		return follow_link(w, w->now.sp, false);
	default:
		return w->now.framed ? follow_link(w, w->now.fp, true) :
		    FORMAT_CUT_REGISTER;
	}
}
