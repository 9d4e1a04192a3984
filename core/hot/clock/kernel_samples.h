/*
 * Context: S.  kernel=detail: samples of kernel functions from a perf event of
 * kernel mode, which sends no signal; its ring is read at coarse ticks, and
 * when the fine clock stops.  perf_event.c opens it, behind private_fds_run();
 * perf_clock.c and tick_count.c read it, with `busy` of the slot held.
 */
#ifndef KERNEL_SAMPLES_H
#define KERNEL_SAMPLES_H

#include "base/state.h"

#include <linux/perf_event.h>

/*
 * Adds to `a` what each entry of the ring contains beside the kernel's pc: the
 * registers and a part of the stack of the program, if stacks are kept.
 */
void kernel_samples_set_attr(struct perf_event_attr *a);

/*
 * Maps the ring r of the event's descriptor fd: with stacks as large as the
 * user's limit of locked memory allows, from 8 data pages to 64; without stacks
 * 8 pages.  Returns false if the kernel refuses.
 */
bool kernel_samples_map(struct perf_ring *r, int fd);

/*
 * Counts the samples in the ring of the thread of s; does nothing if it has
 * none.  pc: where the present tick found the thread, or the last one did, if
 * the fine clock stops.  `busy` of s is held.
 */
void kernel_samples_drain(struct thread_slot *s, uintptr_t pc);

#endif
