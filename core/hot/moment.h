/* Context: S.  When each tick was: log=yes. */
#ifndef MOMENT_H
#define MOMENT_H

#include "state.h"

/*
 * That the slot's thread was at a node just now, for ns.  By who has the slot
 * busy, in a thread that has a record.  What there is no room for is counted.
 */
void moment_add(struct slot *s, uint32_t node, uint64_t ns);

#endif
