/* Context: S.  When each tick was: log=yes. */
#ifndef MOMENT_H
#define MOMENT_H

#include "state.h"

/*
 * Notes that the slot's thread was at a node for ns: just now or, if `late`,
 * when the last moment of the slot was.  The caller holds the slot busy; the
 * thread has a record.  What there is no room for is counted as lost.
 */
void moment_add(struct slot *s, uint32_t node, uint64_t ns, bool late);

#endif
