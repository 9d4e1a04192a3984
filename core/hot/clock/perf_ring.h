/*
 * Context: S.  Maps the ring of a perf event, and reads the entries ("records"
 * in perf_event_open(2)) that came since the last reading.  perf_event.c maps
 * the rings of a thread's two events, perf_clock.c and kernel_samples.c read
 * them with `busy` of the slot held; see slot_state.h.
 */
#ifndef PERF_RING_H
#define PERF_RING_H

#include "base/state.h"

/*
 * Words of the shortest ring entry: a header and the pc.  After them comes what
 * else the event was asked for.
 */
#define PERF_RING_SAMPLE_WORDS	2u

/*
 * Receives n samples at pc, with the caller's arg.  record: the ring, and `at`:
 * where the entry is in it; NULL if no entry is left of these samples.
 */
typedef void perf_ring_visit(const struct perf_ring *record, uint64_t at,
    uintptr_t pc, uint64_t n, void *arg);

/*
 * Visits every new entry of the ring once, with its own pc.  If entries were
 * overwritten, they are visited together, as n samples at `now`, and all but
 * one are counted as the loss `lost`, too.  If the ring has no data page, one
 * sample at `now` is visited.  Does nothing if the ring is not mapped.
 */
void perf_ring_drain(struct perf_ring *r, uintptr_t now, enum loss lost,
    perf_ring_visit *visit, void *arg);

/*
 * Returns the i-th word of the entry at `at`, which is being visited.  The
 * caller knows that the entry has so many words.
 */
uint64_t perf_ring_word(const struct perf_ring *record, uint64_t at,
    unsigned i);

/*
 * Returns whether the words of the entry at `at` that were read before this
 * call were still the entry's, because the kernel has not written over it.
 */
bool perf_ring_is_intact(const struct perf_ring *record, uint64_t at);

/*
 * Returns the number of entries that were not visited; 0 if the ring is not
 * mapped or has no data page.
 */
uint64_t perf_ring_unread(const struct perf_ring *r);

/*
 * Maps the ring r, which is not mapped, of the event with descriptor fd:
 * `pages` data pages, a power of two or 0, for entries of `words` words.
 * Returns false if the kernel refuses.
 */
bool perf_ring_map(struct perf_ring *r, int fd, unsigned pages, unsigned words);

/*
 * Unmaps the ring, if it is mapped.  That ends the event, because nothing else
 * refers to it.
 */
void perf_ring_unmap(struct perf_ring *r);

#endif
