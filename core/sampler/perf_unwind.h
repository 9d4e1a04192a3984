/* Context: O.  Callers, from a copy of registers and stack. */
#ifndef PERF_UNWIND_H
#define PERF_UNWIND_H

#include "perf_record.h"

struct address_space;
struct address_spaces;

/* Registers to be asked for; 0 = this build cannot. */
uint64_t perf_unwind_regs(void);

/*
 * Return addresses into `to`, the innermost first, at most `most`; *why is an
 * enum format_cut where the outermost was not reached, else 0.
 */
size_t perf_unwind_callers(struct address_spaces *s, struct address_space *own,
    const struct perf_record *k, uint64_t *to, size_t most, unsigned *why);

/* What is remembered of a space: its mappings changed; it is gone. */
void perf_unwind_forget(void *unwinder);
void perf_unwind_free(void *unwinder);

/* Of a library that goes. */
void perf_unwind_close(void *tables);

#endif
