/*
 * Context: S.  Opens the perf events of a thread, for perf_clock.c, which calls
 * it in that thread or in a helper thread.  The event exists as long as its
 * ring is mapped; no descriptor is held.
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include "base/state.h"

/*
 * Starts the event of user mode with the period s->fine_clock.period, and maps
 * its ring to s->fine_clock.ring.  It sends the tick's signal to the thread of
 * s, and its number is noted in s->fine_clock.fd, by which its signals are
 * recognized.  private_fds_run() runs it, perhaps in a helper thread, so it
 * uses no TLS.  Returns 0; -EPERM if the ring is refused; or the -errno of a
 * system call, and then no event is left.
 */
int perf_event_start_user(struct thread_slot *s);

/*
 * Starts the event of kernel mode, with the same period and its ring in
 * s->kernel_clock.ring.  The event sends no signal, so it interrupts no system
 * call.  private_fds_run() runs this function, too.  Its results are those of
 * perf_event_start_user().
 */
int perf_event_start_kernel(struct thread_slot *s);

#endif
