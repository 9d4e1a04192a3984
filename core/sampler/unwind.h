/* Context: O.  Callers, from a copy of registers and stack. */
#ifndef UNWIND_H
#define UNWIND_H

#include "krecord.h"

struct space;
struct spaces;

/* Registers to be asked for; 0 = this build cannot. */
uint64_t unwind_regs(void);

/*
 * Return addresses into `to`, the innermost first, at most `most`; *why is an
 * enum format_cut where the outermost was not reached, else 0.
 */
size_t unwind_callers(struct spaces *s, struct space *own,
    const struct krecord *k, uint64_t *to, size_t most, unsigned *why);

/* What is remembered of a space: its mappings changed; it is gone. */
void unwind_forget(void *unwinder);
void unwind_free(void *unwinder);

/* Of a library that goes. */
void unwind_close(void *tables);

#endif
