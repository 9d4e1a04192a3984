/* Context: O.  Records in the order of time, and samples made of them. */
#ifndef EVENT_ORDER_H
#define EVENT_ORDER_H

#include "sampler.h"

/* Real time of CLOCK_MONOTONIC 0, ns. */
uint64_t event_order_real_offset(void);

/* Its records are held until they are handed out.  0 or -ENOMEM. */
int event_order_hold(struct sampler *s, const struct batch *b);

/*
 * Those from before `until`: of them all have come.  0, -ENOMEM, or what `take`
 * returned.
 */
int event_order_deliver(struct sampler *s, uint64_t until, sampler_take *take,
    void *arg);

#endif
