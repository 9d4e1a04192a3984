/*
 * Context: S.  log=yes: keeps the time of each sample in the file.
 * sample_node.c calls it for each sample that it counts, in the thread that
 * counts it.
 */
#ifndef TICK_LOG_H
#define TICK_LOG_H

#include "base/state.h"

/*
 * Notes in the file that the thread of s spent ns at a node: until now or, if
 * `late`, until the last entry of s.  The caller holds `busy`, and the thread
 * has a record.  Counts a loss if there is no room, and in a frozen process,
 * where the time is not known.
 */
void tick_log_add(struct thread_slot *s, uint32_t node, uint64_t ns, bool late);

#endif
