/* Context: S.  When each tick was: log=yes. */
#ifndef TICK_LOG_H
#define TICK_LOG_H

#include "base/state.h"

/*
 * Notes that the slot's thread spent ns at a node: until now or, if `late`,
 * until the slot's last moment.  The caller holds the slot's `busy`, and the
 * thread has a record.  Counts a loss if there is no room.
 */
void tick_log_add(struct thread_slot *s, uint32_t node, uint64_t ns, bool late);

#endif
