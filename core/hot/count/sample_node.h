/*
 * Context: S.  Counts a sample at a node of its thread's call tree, for
 * record.c.  The store is ready, the thread of s has a record in it, and the
 * caller of record.c has made sure that no tick of the thread uses s meanwhile.
 */
#ifndef SAMPLE_NODE_H
#define SAMPLE_NODE_H

#include "base/state.h"
#include "module/modules.h"

/*
 * Adds n samples that stand for ns in all to a node of the thread of s, and to
 * the tick log if there is one.
 */
void sample_node_count(struct thread_slot *s, struct format_node *node,
    uint64_t n, uint64_t ns);

/*
 * Counts n samples that stand for ns in all at the place of *hit, in a node
 * below the node `parent`.  kind: enum format_kind.  Returns the node's index,
 * or 0 if the file has no room for it, which is counted as a loss; `parent` may
 * be such a 0, for a caller without room, and the loss is the same.
 */
uint32_t sample_node_add(struct thread_slot *s, uint32_t parent, uint32_t kind,
    const struct module_hit *hit, uint64_t n, uint64_t ns);

/*
 * Counts a sample below the root if the program has paused profiling: the place
 * is not kept, but the time is not lost.  Returns whether the sample was
 * counted so; if not, the caller goes on.
 */
bool sample_node_if_paused(struct thread_slot *s, uint64_t n, uint64_t ns);

/*
 * Counts a sample below the root if modules are watched and its module is none
 * of them.  asleep: the time is one of sleep.  Returns whether the sample was
 * counted so.
 */
bool sample_node_if_unwatched(struct thread_slot *s,
    const struct module_hit *hit, bool asleep, uint64_t n, uint64_t ns);

/*
 * Adds the ns that a sample stands for to the header's sums.  part: a sum of a
 * part, kernel_ns or coarse_ns of the header, to which the sample belongs, too;
 * NULL: none.
 */
void sample_node_weigh(uint64_t ns, uint64_t *part);

#endif
