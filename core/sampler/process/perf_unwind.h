/*
 * Context: O.  Finds the callers of a sample from a copy of its registers and
 * its stack.  event_order.c calls it in the thread of sampler_next();
 * sampler_open.c and the options of tprof ask which registers are needed.
 */
#ifndef PERF_UNWIND_H
#define PERF_UNWIND_H

#include "ring/perf_record.h"

struct address_space;
struct address_spaces;

/*
 * Returns the registers to ask the kernel for; 0 if this build cannot unwind.
 */
uint64_t perf_unwind_regs(void);

/*
 * Stores the program's address of a sample and its return addresses in `to`,
 * the innermost first, at most `most`, which is not 0.  The sample has the
 * registers of perf_unwind_regs().  Sets *why to an enum format_cut if the
 * outermost caller was not reached, else to 0.  Returns the number of
 * addresses.
 */
size_t perf_unwind_callers(struct address_spaces *s, struct address_space *own,
    const struct perf_record *k, uint64_t *to, size_t most, unsigned *why);

#endif
