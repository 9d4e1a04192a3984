/*
 * Context: T.  Sums up how often each function was called so far, over all
 * threads, for monitor(3C) (monitor_calls.c, under the lock of monitor.c) and
 * format=monout (write_monout.c).  A table belongs to its caller.
 */
#ifndef CALL_TOTALS_H
#define CALL_TOTALS_H

#include <stddef.h>
#include <stdint.h>

/* The calls of one function. */
struct call_totals_cell {
	uintptr_t pc;		/* in the function, where it is mapped now */
	uint64_t calls;
};

/* A hash table of functions, in one mapping. */
struct call_totals {
	size_t bytes;		/* size of the mapping */
	uint32_t count;
	uint32_t mask;
	uint32_t *slot;		/* by hash of the pc: index of its cell + 1 */
	/* roughly in the order of the first calls */
	struct call_totals_cell *cell;
};

/*
 * Returns the calls so far, or NULL if there is no memory.  The table is empty
 * if nothing was counted or the process is not profiled.
 */
struct call_totals *call_totals_make(void);

/* Unmaps t, which may be NULL. */
void call_totals_free(struct call_totals *t);

/*
 * Returns the calls of `sum` and those that were made between `from` and `to`,
 * or NULL if there are none or there is no memory.  Frees all three; NULL
 * stands for an empty one.
 */
struct call_totals *call_totals_add_delta(struct call_totals *sum,
    struct call_totals *from, struct call_totals *to);

/* Returns the calls of the function at pc, or 0.  t may be NULL. */
uint64_t call_totals_get(const struct call_totals *t, uintptr_t pc);

#endif
