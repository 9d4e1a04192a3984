/* Context: S.  kernel=detail: samples of kernel functions. */
#ifndef KERNEL_SAMPLES_H
#define KERNEL_SAMPLES_H

#include "base/state.h"

#include <linux/perf_event.h>

/* What the event is to tell beside where in the kernel it was. */
void kernel_samples_set_attr(struct perf_event_attr *a);

/* Map the ring of that event; false: refused. */
bool kernel_samples_map(struct perf_ring *r, int fd);

/* Count what the slot's ring holds, its thread being at pc. */
void kernel_samples_drain(struct thread_slot *s, uintptr_t pc);

#endif
