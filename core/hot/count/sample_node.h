/*
 * Context: S.  Counts a sample at a node of its thread's call tree, for
 * record.c.  The store is ready, the thread of s has a record in it, and the
 * caller of record.c keeps the thread's ticks out of s.
 */
#ifndef SAMPLE_NODE_H
#define SAMPLE_NODE_H

#include "base/state.h"
#include "module/modules.h"

/*
 * Adds n samples that stand for ns to a node of the thread of s, and to the log
 * if there is one.
 */
void sample_node_count(struct thread_slot *s, struct format_node *node,
    uint64_t n, uint64_t ns);

/*
 * Counts n samples that stand for ns at the place of *hit, below the node
 * `parent`; 0: there was no room for a caller.  kind: enum format_kind.
 * Returns the node's index, or 0 if there was no room for it, which is counted
 * as a loss.
 */
uint32_t sample_node_add(struct thread_slot *s, uint32_t parent, uint32_t kind,
    const struct module_hit *hit, uint64_t n, uint64_t ns);

/*
 * Counts a sample below the root if the program has paused profiling: the place
 * is not kept, but the time is not lost.  Returns whether it did.
 */
bool sample_node_if_paused(struct thread_slot *s, uint64_t n, uint64_t ns);

/*
 * Counts a sample below the root if no tool wants to see its module.  asleep:
 * the time is one of sleep.  Returns whether it did.
 */
bool sample_node_if_unwatched(struct thread_slot *s,
    const struct module_hit *hit, bool asleep, uint64_t n, uint64_t ns);

/*
 * Adds the ns that one sample stands for to the header's sums.  clock: the
 * header's kernel_ns or coarse_ns, if the sample is one of those, or NULL.
 */
void sample_node_weigh(uint64_t ns, uint64_t *clock);

#endif
