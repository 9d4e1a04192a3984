/* Context: S.  kernel=detail: samples of kernel functions. */
#ifndef DETAIL_H
#define DETAIL_H

#include "state.h"

#include <linux/perf_event.h>

/* What the event is to tell beside where in the kernel it was. */
void detail_ask(struct perf_event_attr *a);

/* Map the ring of that event; false: refused. */
bool detail_map(struct ring *r, int fd);

/* Count what the slot's ring holds, its thread being at pc. */
void detail_drain(struct slot *s, uintptr_t pc);

#endif
