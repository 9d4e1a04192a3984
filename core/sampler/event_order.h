/*
 * Context: O.  Puts the ring entries of all processors in the order of time,
 * and makes samples of them, for the kernel backend of tprof monitor and prof
 * record, and for tprof top.  sampler_next() calls hold and deliver, in its
 * caller's thread, not in the reading thread.  event_order_real_offset() needs
 * no sampler: sampler_start() and what begins a tprof.out call it.
 */
#ifndef EVENT_ORDER_H
#define EVENT_ORDER_H

#include "sampler.h"

/* Returns the real time of CLOCK_MONOTONIC 0 as of now, in ns. */
uint64_t event_order_real_offset(void);

/*
 * Copies the ring entries of a batch, to be kept until they are delivered.
 * Returns 0 or -ENOMEM.
 */
int event_order_hold(struct sampler *s, const struct perf_buffer_batch *b);

/*
 * Delivers the ring entries from before the time `until`; all of these must be
 * held.  Calls `take` for each sample, but not for one of an unknown counter
 * (s->strange) or one that another counter took, too (s->doubled); updates the
 * address spaces by the other ring entries.  Stops where `take` does not return
 * 0; later entries stay held.  Returns 0, -ENOMEM, or what `take` returned.
 */
int event_order_deliver(struct sampler *s, uint64_t until, sampler_take *take,
    void *arg);

#endif
