/* Context: S.  What a perf event left in its ring since the last look. */
#ifndef RING_H
#define RING_H

#include "state.h"

typedef void ring_visit(uintptr_t pc, uint64_t n, void *arg);

/*
 * Visit every record once, with its own pc; what was overwritten, and
 * everything when the ring has no data page, is visited as `n` observations at
 * `now` and counted as `lost`.
 */
void ring_drain(struct ring *r, uintptr_t now, enum loss lost,
    ring_visit *visit, void *arg);

/* Records that were not visited; 0 without a data page. */
uint64_t ring_left(const struct ring *r);

/* Map the ring of event fd with so many data pages; false: refused. */
bool ring_map(struct ring *r, int fd, unsigned pages);

/* Unmapping ends the event: nothing else holds it. */
void ring_unmap(struct ring *r);

#endif
