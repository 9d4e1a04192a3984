/*
 * Context: S.  From a frame to its caller: by a remembered row, by a table,
 * else by a guess; doc/internals.md, section 18.
 */
#include "step.h"

#include "frame.h"
#include "walk.h"

/*
 * The cost of a search without an index, 0.1 ms or less, in look-ups with one.
 */
#define UNSORTED	600u

/* The place that tells: of a call itself, not of what follows. */
static uintptr_t
place(const struct walk *w)
{
	return w->exact ? w->now.pc : w->now.pc - 1;
}

int
step_to(struct walk *w, const struct caller *c)
{
	const uintptr_t pc = frame_bare(c->pc), sp = c->sp;

	if (pc == 0)
		return OUTERMOST;
	if (pc > WALK_ADDRESS)
		return FORMAT_CUT_NOWHERE;
	if (!w->broken_in && (sp < w->now.sp ||
	    (sp == w->now.sp && !w->now.linked)))
		return FORMAT_CUT_ORDER;
	w->now.pc = pc;
	w->now.sp = sp;
	w->now.fp = c->fp;
	w->now.base = c->base;
	w->now.linked = w->broken_in && FRAME_LINKS;
	w->now.all = NULL;
	w->exact = w->broken_in;
	return FOUND;
}

int
step_unreadable(const struct walk *w)
{
	return w->memory.frozen ? FORMAT_CUT_FROZEN : FORMAT_CUT_MEMORY;
}

static int
follow_plain(struct walk *w, uint64_t row)
{
	struct caller c = step_caller(w);

	if ((row & ROW_LINKED) != 0 && !w->now.linked)
		return FORMAT_CUT_RULE;
	if ((row & ROW_BY_FP) != 0 && !w->now.framed)
		return FORMAT_CUT_REGISTER;
	c.sp = ((row & ROW_BY_FP) != 0 ? w->now.fp : w->now.sp) +
	    row_frame(row);
	if (((row & ROW_LINKED) == 0 &&
	    !step_load(w, c.sp, row_offset(row, ROW_RA_AT), &c.pc)) ||
	    ((row & ROW_FP_SAVED) != 0 &&
	    !step_load(w, c.sp, row_offset(row, ROW_FP_AT), &c.fp)) ||
	    ((row & ROW_BASE_SAVED) != 0 &&
	    !step_load(w, c.sp, row_offset(row, ROW_BASE_AT), &c.base)))
		return step_unreadable(w);
	w->now.framed |= (row & ROW_FP_SAVED) != 0;
	return step_to(w, &c);
}

static int
follow_aligned(struct walk *w, uint64_t row)
{
	const uintptr_t fp = w->now.fp;
	struct caller c = step_caller(w);

	if (!w->now.framed)
		return FORMAT_CUT_REGISTER;
	if (!step_load(w, fp, row_offset(row, ROW_RA_AT), &c.sp) ||
	    !step_load(w, c.sp, (uintptr_t)-8, &c.pc) ||
	    !step_load(w, fp, row_offset(row, ROW_FP_AT), &c.fp) ||
	    ((row & ROW_BASE_SAVED) != 0 &&
	    !step_load(w, fp, row_offset(row, ROW_BASE_AT), &c.base)))
		return step_unreadable(w);
	return step_to(w, &c);
}

/* Out of a signal's handler: the kernel has put all registers there. */
int
step_signal(struct walk *w)
{
	const uintptr_t context = frame_context(w->now.sp);
	struct caller c;

	if (!memory_load(&w->memory, context + FRAME_CONTEXT_PC, &c.pc) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_SP, &c.sp) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_FP, &c.fp) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_BASE, &c.base) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_LINK,
	    &w->now.link))
		return step_unreadable(w);
	/* The program called a null pointer; the stack does not end here. */
	if (frame_bare(c.pc) == 0)
		return FORMAT_CUT_NOWHERE;
	w->broken_in = true;
	w->now.framed = w->now.based = true;
	return step_to(w, &c);
}

/* The value of the caller's register; `same` is what it is here. */
static int
apply(struct walk *w, const struct cfi_rule *rule, uintptr_t frame,
    uintptr_t same, uintptr_t *value)
{
	uintptr_t at;

	switch ((enum cfi_how)rule->how) {
	case CFI_SAME:
		*value = same;
		return FOUND;
	case CFI_UNDEFINED:
		*value = 0;
		return FOUND;
	case CFI_AT:
		return memory_load(&w->memory, frame + (uintptr_t)rule->offset,
		    value) ? FOUND : step_unreadable(w);
	case CFI_IS:
		*value = frame + (uintptr_t)rule->offset;
		return FOUND;
	case CFI_REGISTER:
		return registers_get(&w->now, rule->reg, value) ? FOUND :
		    FORMAT_CUT_RULE;
	case CFI_AT_EXPRESSION:
		if (!expression_value(rule, &w->now, &w->memory, frame, &at))
			return FORMAT_CUT_RULE;
		return memory_load(&w->memory, at, value) ? FOUND :
		    step_unreadable(w);
	case CFI_IS_EXPRESSION:
		return expression_value(rule, &w->now, &w->memory, frame,
		    value) ? FOUND : FORMAT_CUT_RULE;
	}
	return FORMAT_CUT_RULE;
}

/*
 * Handles the end of a function that has aligned its stack, where gcc's table
 * still says that the caller's registers are saved beside fp, although fp is
 * the caller's already.  The caller's registers are restored from the
 * instruction on that restores sp: by the register that holds the frame's
 * address, which the table names before that point, too; after it, by sp.
 */
static bool
is_restored(struct walk *w, const struct module_text *t,
    const struct cfi_row *row)
{
	if (!w->exact || row->fp.how != CFI_AT_EXPRESSION ||
	    row->frame.how != CFI_REGISTER || row->frame.reg == FRAME_FP)
		return false;
	return row->frame.reg == FRAME_SP ||
	    guess_restore(w, t) == row->frame.reg;
}

static int
follow_table(struct walk *w, const struct module_text *t,
    const struct cfi_row *row)
{
	struct caller c = step_caller(w);
	uintptr_t frame;
	int ret = FOUND;

	if (row->frame.how == CFI_IS_EXPRESSION)
		ret = expression_value(&row->frame, &w->now, &w->memory, 0,
		    &frame) ? FOUND : FORMAT_CUT_RULE;
	else if (row->frame.how != CFI_REGISTER ||
	    !registers_get(&w->now, row->frame.reg, &frame))
		ret = w->now.framed ? FORMAT_CUT_RULE : FORMAT_CUT_REGISTER;
	if (ret != FOUND)
		return ret;
	if (row->frame.how == CFI_REGISTER)
		frame += (uintptr_t)row->frame.offset;
	if (row->ra.how == CFI_SAME && !w->now.linked)
		return FORMAT_CUT_RULE;
	c.sp = frame;
	/* vfork() keeps it there while its frame is gone. */
	w->now.linked |= row->ra.how == CFI_REGISTER;
	ret = apply(w, &row->ra, frame, w->now.link, &c.pc);
	if (ret == FOUND && is_restored(w, t, row))
		return step_to(w, &c);
	if (ret == FOUND)
		ret = apply(w, &row->fp, frame, w->now.fp, &c.fp);
	w->now.framed |= row->fp.how != CFI_SAME &&
	    row->fp.how != CFI_UNDEFINED;
	/* Hardly any frame needs it. */
	w->now.based &= row->base.how != CFI_UNDEFINED &&
	    apply(w, &row->base, frame, w->now.base, &c.base) == FOUND;
	return ret != FOUND ? ret : step_to(w, &c);
}

/*
 * makecontext() lets its function return to the first byte of another: nothing
 * called that, and what is before it is of no function.
 */
static bool
is_planted(const struct walk *w, const struct module_text *t)
{
	struct cfi_row row;

	return !w->exact && cfi_find(&t->tables, w->now.pc, &row) == 0 &&
	    !row.signal;
}

/* Not remembered: as the table says, or as can be guessed. */
static int
look_up(struct walk *w)
{
	const uintptr_t at = place(w);
	struct module_text t;
	struct cfi_row from;
	struct row row;
	int ret;

	w->look_ups++;
	if (!modules_text(at, &t)) {
		w->unknown = at;
		return FORMAT_CUT_NOWHERE;
	}
	if (config.stack == FORMAT_STACK_FP)
		return guess_caller(w, &t);
	/* Or unloaded by libc itself, which calls no hook. */
	if (!modules_are_settled() || !guess_tables(w, &t))
		return FORMAT_CUT_UNLOAD;
	ret = cfi_find(&t.tables, at, &from);
	if (t.tables.index != 0 && !t.tables.sorted)
		w->look_ups += UNSORTED;
	if (ret == -ENOENT && is_planted(w, &t))
		return PLANTED;
	if (ret == -ENOENT)
		return config.stack == FORMAT_STACK_CFI ? FORMAT_CUT_TABLE :
		    guess_caller(w, &t);
	if (ret != 0)
		return ret == -E2BIG ? FORMAT_CUT_INDEX : FORMAT_CUT_RULE;
	row = rows_make(&from);
	rows_enter(&w->rows, at, rows_pack(&row));
	if (row.kind == ROW_SIGNAL)
		return step_signal(w);
	return row.kind == ROW_OUTERMOST ? OUTERMOST : follow_table(w, &t,
	    &from);
}

int
step_out(struct walk *w)
{
	const uint64_t row = rows_find(&w->rows, place(w));

	w->linked_by_fp = w->guessed;
	w->broken_in = w->guessed = false;
	switch (row_kind(row)) {
	case ROW_PLAIN:
		return follow_plain(w, row);
	case ROW_ALIGNED:
		return follow_aligned(w, row);
	case ROW_SIGNAL:
		return step_signal(w);
	case ROW_OUTERMOST:
		return OUTERMOST;
	default:
		return look_up(w);
	}
}
