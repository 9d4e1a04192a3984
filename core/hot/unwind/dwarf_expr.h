/* Context: S.  Expressions of unwind tables. */
#ifndef DWARF_EXPR_H
#define DWARF_EXPR_H

#include "unwind/cfi.h"
#include "unwind/stack_read.h"

/* What is known of a frame's registers. */
struct unwind_registers {
	uintptr_t pc, sp;
	uintptr_t fp, base;	/* ... if they are known */
	bool framed, based;
	uintptr_t link;		/* where calls leave their return address ... */
	bool linked;		/* ... if that is still the frame's own */
	const ucontext_t *all;	/* of the innermost one, else NULL */
};

/* By its column; false: not known here. */
bool unwind_registers_get(const struct unwind_registers *r, uint64_t column,
    uintptr_t *value);

/* The value of the rule's expression; `frame` is on the stack if not 0. */
bool dwarf_expr_evaluate(const struct cfi_rule *rule,
    const struct unwind_registers *r, struct stack_read *m, uintptr_t frame,
    uintptr_t *value);

#endif
