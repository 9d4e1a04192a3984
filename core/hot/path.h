/* Context: S.  The node of the tree that stands for a tick's callers. */
#ifndef PATH_H
#define PATH_H

#include "state.h"

/*
 * Below which a tick of the slot's thread is to be counted, whose record is
 * there: the node of its callers, as the tick under way finds them; now says
 * whether the thread is at what is counted still.  The root where there are to
 * be no stacks.  0: no room.
 */
uint32_t path_node(struct slot *s, bool now);

#endif
