/* Context: T.  How often each function was called so far, of all threads. */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally_cell {
	uintptr_t pc;		/* in the function, where it is mapped now */
	uint64_t calls;
};

struct tally {
	size_t bytes;		/* of all this */
	uint32_t count;
	uint32_t mask;
	uint32_t *slot;		/* by hash of the pc: index + 1 of its cell */
	struct tally_cell *cell;	/* about as they were first called */
};

/* Empty where nothing was counted.  NULL: no memory. */
struct tally *tally_make(void);
void tally_free(struct tally *t);

/* What was called between the two, and what is in `sum`.  Frees all three, any
 * of which may be NULL: none. */
struct tally *tally_add_between(struct tally *sum, struct tally *from,
    struct tally *to);

/* 0 for a NULL tally too. */
uint64_t tally_calls(const struct tally *t, uintptr_t pc);

#endif
