/*
 * Context: O.  Puts the ring entries of all processors in the order of time,
 * and makes samples of them.  sampler_next() calls hold and deliver, in its
 * thread, after sampler_open().
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
int event_order_hold(struct sampler *s, const struct batch *b);

/*
 * Delivers the ring entries from before the time `until`; all of these must be
 * held.  Calls `take` for each sample, and updates the address spaces by the
 * other ring entries.  Returns 0, -ENOMEM, or what `take` returned.
 */
int event_order_deliver(struct sampler *s, uint64_t until, sampler_take *take,
    void *arg);

#endif
