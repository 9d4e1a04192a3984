/*
 * Context: S.  Steps from a frame to its caller: by a cached rule, by a table,
 * else by a guess; for stack_walk.c and path_cache.c, within
 * stack_walk_guard(); doc/design/unwind.md.
 */
#include "unwind/unwind_step.h"

#include "frame.h"
#include "module/modules.h"
#include "unwind/unwind_guess.h"
#include "unwind/unwind_known.h"

/*
 * The cost of a search without an index, 0.1 ms or less, in look-ups with one.
 */
#define UNSORTED	600u

/*
 * Returns the address whose rule applies: for a return address, one in the call
 * instruction before it, not in the code that follows.
 */
static uintptr_t
rule_lookup_pc(const struct stack_walk *w)
{
	return w->exact ? w->now.pc : w->now.pc - 1;
}

/*
 * Steps to the caller by a cached rule of kind PLAIN.  Results of this and the
 * other steps are those of unwind_step_out().
 */
static int
step_by_plain_rule(struct stack_walk *w, uint64_t rule)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);

	if ((rule & UNWIND_RULE_LINKED) != 0 && !w->now.linked)
		return FORMAT_CUT_RULE;
	if ((rule & UNWIND_RULE_BY_FP) != 0 && !w->now.framed)
		return FORMAT_CUT_REGISTER;
	c.sp = ((rule & UNWIND_RULE_BY_FP) != 0 ? w->now.fp : w->now.sp) +
	    unwind_rule_frame(rule);
	if (((rule & UNWIND_RULE_LINKED) == 0 && !unwind_state_load(w, c.sp,
	    unwind_rule_offset(rule, UNWIND_RULE_RA_AT), &c.pc)) ||
	    ((rule & UNWIND_RULE_FP_SAVED) != 0 && !unwind_state_load(w, c.sp,
	    unwind_rule_offset(rule, UNWIND_RULE_FP_AT), &c.fp)) ||
	    ((rule & UNWIND_RULE_BASE_SAVED) != 0 && !unwind_state_load(w, c.sp,
	    unwind_rule_offset(rule, UNWIND_RULE_BASE_AT), &c.base)))
		return unwind_state_load_error(w);
	w->now.framed |= (rule & UNWIND_RULE_FP_SAVED) != 0;
	return unwind_state_move(w, &c);
}

/* Steps to the caller by a cached rule of kind ALIGNED. */
static int
step_by_aligned_rule(struct stack_walk *w, uint64_t rule)
{
	const uintptr_t fp = w->now.fp;
	struct unwind_state_caller c = unwind_state_init_caller(w);

	if (!w->now.framed)
		return FORMAT_CUT_REGISTER;
	if (!unwind_state_load(w, fp,
	    unwind_rule_offset(rule, UNWIND_RULE_RA_AT), &c.sp) ||
	    !unwind_state_load(w, c.sp, (uintptr_t)-8, &c.pc) ||
	    !unwind_state_load(w, fp,
	    unwind_rule_offset(rule, UNWIND_RULE_FP_AT), &c.fp) ||
	    ((rule & UNWIND_RULE_BASE_SAVED) != 0 &&
	    !unwind_state_load(w, fp, unwind_rule_offset(rule,
	    UNWIND_RULE_BASE_AT), &c.base)))
		return unwind_state_load_error(w);
	return unwind_state_move(w, &c);
}

/* Finds the value of the caller's register.  same: its value in this frame. */
static int
apply_cfi_rule(struct stack_walk *w, const struct cfi_rule *rule,
    uintptr_t frame, uintptr_t same, uintptr_t *value)
{
	uintptr_t at;

	switch ((enum cfi_rule_kind)rule->how) {
	case CFI_SAME_VALUE:
		*value = same;
		return UNWIND_STEP_FOUND;
	case CFI_UNDEFINED:
		*value = 0;
		return UNWIND_STEP_FOUND;
	case CFI_OFFSET:
		return stack_read_load(&w->memory,
		    frame + (uintptr_t)rule->offset, value) ?
		    UNWIND_STEP_FOUND : unwind_state_load_error(w);
	case CFI_VAL_OFFSET:
		*value = frame + (uintptr_t)rule->offset;
		return UNWIND_STEP_FOUND;
	case CFI_REGISTER:
		return unwind_registers_get(&w->now, rule->reg, value) ?
		    UNWIND_STEP_FOUND : FORMAT_CUT_RULE;
	case CFI_EXPRESSION:
		if (!dwarf_expr_evaluate(rule, &w->now, &w->memory, frame, &at))
			return FORMAT_CUT_RULE;
		return stack_read_load(&w->memory, at, value) ?
		    UNWIND_STEP_FOUND : unwind_state_load_error(w);
	case CFI_VAL_EXPRESSION:
		return dwarf_expr_evaluate(rule, &w->now, &w->memory, frame,
		    value) ? UNWIND_STEP_FOUND : FORMAT_CUT_RULE;
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
is_caller_restored(struct stack_walk *w, const struct module_text *t,
    const struct cfi_row *row)
{
	if (!w->exact || row->fp.how != CFI_EXPRESSION ||
	    row->frame.how != CFI_REGISTER || row->frame.reg == FRAME_FP)
		return false;
	return row->frame.reg == FRAME_SP ||
	    unwind_guess_sp_register(w, t) == row->frame.reg;
}

/*
 * Steps to the caller by a row of an unwind table.  t: the text of the frame.
 */
static int
step_by_cfi_row(struct stack_walk *w, const struct module_text *t,
    const struct cfi_row *row)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);
	uintptr_t frame;
	int ret = UNWIND_STEP_FOUND;

	if (row->frame.how == CFI_VAL_EXPRESSION)
		ret = dwarf_expr_evaluate(&row->frame, &w->now, &w->memory, 0,
		    &frame) ? UNWIND_STEP_FOUND : FORMAT_CUT_RULE;
	else if (row->frame.how != CFI_REGISTER ||
	    !unwind_registers_get(&w->now, row->frame.reg, &frame))
		ret = w->now.framed ? FORMAT_CUT_RULE : FORMAT_CUT_REGISTER;
	if (ret != UNWIND_STEP_FOUND)
		return ret;
	if (row->frame.how == CFI_REGISTER)
		frame += (uintptr_t)row->frame.offset;
	if (row->ra.how == CFI_SAME_VALUE && !w->now.linked)
		return FORMAT_CUT_RULE;
	c.sp = frame;
	/*
	 * The table of vfork() keeps the return address in a register while its
	 * frame is gone.
	 */
	w->now.linked |= row->ra.how == CFI_REGISTER;
	ret = apply_cfi_rule(w, &row->ra, frame, w->now.link, &c.pc);
	if (ret == UNWIND_STEP_FOUND && is_caller_restored(w, t, row))
		return unwind_state_move(w, &c);
	if (ret == UNWIND_STEP_FOUND)
		ret = apply_cfi_rule(w, &row->fp, frame, w->now.fp, &c.fp);
	w->now.framed |= row->fp.how != CFI_SAME_VALUE &&
	    row->fp.how != CFI_UNDEFINED;
	/*
	 * Hardly any frame needs the base register, so the walk goes on without
	 * it.
	 */
	w->now.based &= row->base.how != CFI_UNDEFINED && apply_cfi_rule(w,
	    &row->base, frame, w->now.base, &c.base) == UNWIND_STEP_FOUND;
	return ret != UNWIND_STEP_FOUND ? ret : unwind_state_move(w, &c);
}

/*
 * Returns whether the pc is a return address that makecontext() has put there:
 * the first byte of a function, which no call precedes.  The byte before it
 * belongs to no function.
 */
static bool
is_planted_return(const struct stack_walk *w, const struct module_text *t)
{
	struct cfi_row row;

	return !w->exact && cfi_find(&t->tables, w->now.pc, &row) == 0 &&
	    !row.signal;
}

/* Steps to the caller of code without a table: by its bytes, or by a guess. */
static int
step_without_table(struct stack_walk *w, const struct module_text *t)
{
	int ret;

	return unwind_known_caller(w, t, &ret) ? ret :
	    unwind_guess_caller(w, t);
}

/* Steps to the caller without a cached rule: by a table, or by a guess. */
static int
step_by_tables(struct stack_walk *w)
{
	const uintptr_t at = rule_lookup_pc(w);
	struct module_text t;
	struct cfi_row from;
	struct unwind_rule row;
	int ret;

	if (config.stack != FORMAT_STACK_CFI &&
	    unwind_known_trampoline(w, &ret))
		return ret;
	w->search_cost++;
	if (!modules_find_text(at, &t)) {
		w->unknown = at;
		return FORMAT_CUT_UNMAPPED;
	}
	if (config.stack == FORMAT_STACK_FP)
		return step_without_table(w, &t);
	/* libc itself may also have unloaded the object, without a hook. */
	if (!modules_are_current() || !unwind_guess_has_tables(w, &t))
		return FORMAT_CUT_UNLOAD;
	ret = cfi_find(&t.tables, at, &from);
	if (t.tables.index != 0 && !t.tables.sorted)
		w->search_cost += UNSORTED;
	if (ret == -ENOENT && is_planted_return(w, &t))
		return UNWIND_STEP_PLANTED;
	if (ret == -ENOENT)
		return config.stack == FORMAT_STACK_CFI ? FORMAT_CUT_TABLE :
		    step_without_table(w, &t);
	if (ret != 0)
		return ret == -E2BIG ? FORMAT_CUT_INDEX : FORMAT_CUT_RULE;
	row = unwind_cache_make_rule(&from);
	unwind_cache_add(&w->rules, at, unwind_cache_pack_rule(&row));
	if (row.kind == UNWIND_RULE_SIGNAL)
		return unwind_state_leave_signal(w);
	return row.kind == UNWIND_RULE_OUTERMOST ? UNWIND_STEP_OUTERMOST :
	    step_by_cfi_row(w, &t, &from);
}

int
unwind_step_out(struct stack_walk *w)
{
	const uint64_t rule = unwind_cache_find(&w->rules, rule_lookup_pc(w));

	w->linked_by_fp = w->guessed;
	w->interrupted = w->guessed = w->switched = false;
	switch (unwind_rule_kind(rule)) {
	case UNWIND_RULE_PLAIN:
		return step_by_plain_rule(w, rule);
	case UNWIND_RULE_ALIGNED:
		return step_by_aligned_rule(w, rule);
	case UNWIND_RULE_SIGNAL:
		return unwind_state_leave_signal(w);
	case UNWIND_RULE_OUTERMOST:
		return UNWIND_STEP_OUTERMOST;
	default:
		return step_by_tables(w);
	}
}
