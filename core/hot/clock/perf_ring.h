/* Context: S.  What a perf event left in its ring since the last look. */
#ifndef PERF_RING_H
#define PERF_RING_H

#include "base/state.h"

/* Words of a record: a header, the pc, what else the event was asked for. */
#define PERF_RING_SAMPLE_WORDS	2u

/* A record, and where it is; NULL: none tells of these. */
typedef void perf_ring_visit(const struct perf_ring *record, uint64_t at,
    uintptr_t pc, uint64_t n, void *arg);

/*
 * Visit every record once, with its own pc; what was overwritten, and
 * everything when the ring has no data page, is visited as `n` observations at
 * `now` and counted as `lost`.
 */
void perf_ring_drain(struct perf_ring *r, uintptr_t now, enum loss lost,
    perf_ring_visit *visit, void *arg);

/* The i-th word of the record that is visited, if it has so many. */
uint64_t perf_ring_word(const struct perf_ring *record, uint64_t at,
    unsigned i);

/* Is it what the words were that were read?  Or did the kernel write there. */
bool perf_ring_is_intact(const struct perf_ring *record, uint64_t at);

/* Records that were not visited; 0 without a data page. */
uint64_t perf_ring_unread(const struct perf_ring *r);

/*
 * Map the ring of event fd with so many data pages, for records of so many
 * words; false: refused.
 */
bool perf_ring_map(struct perf_ring *r, int fd, unsigned pages, unsigned words);

/* Unmapping ends the event: nothing else holds it. */
void perf_ring_unmap(struct perf_ring *r);

#endif
