/* Context: O.  Records in the order of time, and samples made of them. */
#ifndef READY_H
#define READY_H

#include "sampler.h"

/* Real time of CLOCK_MONOTONIC 0, ns. */
uint64_t ready_real(void);

/* Its records are held until they are handed out.  0 or -ENOMEM. */
int ready_hold(struct sampler *s, const struct batch *b);

/*
 * Those from before `until`: of them all have come.  0, -ENOMEM, or what `take`
 * returned.
 */
int ready_hand_out(struct sampler *s, uint64_t until, sampler_take *take,
    void *arg);

#endif
