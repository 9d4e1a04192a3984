/* Context: T.  How often each function was called so far, of all threads. */
#ifndef CALL_TOTALS_H
#define CALL_TOTALS_H

#include <stddef.h>
#include <stdint.h>

struct call_totals_cell {
	uintptr_t pc;		/* in the function, where it is mapped now */
	uint64_t calls;
};

struct call_totals {
	size_t bytes;		/* of all this */
	uint32_t count;
	uint32_t mask;
	uint32_t *slot;		/* by hash of the pc: index + 1 of its cell */
	struct call_totals_cell *cell;	/* about as they were first called */
};

/* Empty where nothing was counted.  NULL: no memory. */
struct call_totals *call_totals_make(void);
void call_totals_free(struct call_totals *t);

/* What was called between the two, and what is in `sum`.  Frees all three, any
 * of which may be NULL: none. */
struct call_totals *call_totals_add_delta(struct call_totals *sum,
    struct call_totals *from, struct call_totals *to);

/* 0 for a NULL tally too. */
uint64_t call_totals_get(const struct call_totals *t, uintptr_t pc);

#endif
