/*
 * Context: S.  The registers of a frame, and the DWARF expressions of unwind
 * tables, which compute addresses from them.  unwind_step.c calls it, in a walk
 * that can end by a fault.
 */
#ifndef DWARF_EXPR_H
#define DWARF_EXPR_H

#include "unwind/cfi.h"
#include "unwind/stack_read.h"

/* The registers of a frame, as far as the walk knows them. */
struct unwind_registers {
	uintptr_t pc, sp;
	uintptr_t fp, base;	/* valid if framed, or based */
	bool framed, based;
	/* the register where a call leaves its return address */
	uintptr_t link;
	bool linked;		/* `link` is still that of this frame */
	/* all registers of the innermost frame, else NULL */
	const ucontext_t *all;
};

/*
 * Finds a register's value by its DWARF column.  Returns false if the value is
 * not known in this frame.
 */
bool unwind_registers_get(const struct unwind_registers *r, uint64_t column,
    uintptr_t *value);

/*
 * Computes the value of the rule's expression.  frame: the frame's address,
 * which is on the expression's stack at the start, or 0 for none.  Returns
 * false if the expression is not understood, or if memory cannot be loaded.
 */
bool dwarf_expr_evaluate(const struct cfi_rule *rule,
    const struct unwind_registers *r, struct stack_read *m, uintptr_t frame,
    uintptr_t *value);

#endif
