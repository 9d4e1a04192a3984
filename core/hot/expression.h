/* Context: S.  Expressions of unwind tables. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "cfi.h"
#include "memory.h"

/* What is known of a frame's registers. */
struct registers {
	uintptr_t pc, sp;
	uintptr_t fp, base;	/* ... if they are known */
	bool framed, based;
	uintptr_t link;		/* where calls leave their return address ... */
	bool linked;		/* ... if that is still the frame's own */
	const ucontext_t *all;	/* of the innermost one, else NULL */
};

/* By its column; false: not known here. */
bool registers_get(const struct registers *r, uint64_t column,
    uintptr_t *value);

/* The value of the rule's expression; `frame` is on the stack if not 0. */
bool expression_value(const struct cfi_rule *rule, const struct registers *r,
    struct memory *m, uintptr_t frame, uintptr_t *value);

#endif
