/* Context: S.  What a perf event left in its ring since the last look. */
#ifndef RING_H
#define RING_H

#include "state.h"

typedef void ring_visit(uintptr_t pc, uint64_t n, void *arg);

/*
 * Visit every record once, with its own pc; what was overwritten, and everything when the
 * ring has no data page, is visited as `n` observations at `now`.
 */
void ring_drain(struct slot *s, uintptr_t now, ring_visit *visit, void *arg);

#endif
