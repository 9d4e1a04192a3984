/*
 * Context: S.  Opens the perf events of a thread.  The event exists as long as
 * its ring is mapped; no descriptor is held.
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include "base/state.h"

/*
 * Starts the event of user mode with the period s->fine_clock.period, and maps
 * its ring to s->fine_clock.ring.  It sends the tick's signal to the thread of
 * s.  The caller has a descriptor table that it may use (private_fds.h).
 * Returns 0 or -errno.
 */
int perf_event_start_user(struct thread_slot *s);

/*
 * Starts the event of kernel mode, with its ring in s->kernel_clock.ring.  It
 * sends no signal, so it interrupts no system call.  Returns 0 or -errno.
 */
int perf_event_start_kernel(struct thread_slot *s);

#endif
