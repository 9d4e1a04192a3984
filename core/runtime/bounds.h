/* Context: T.  Where a thread's stack is, as far as that is sure. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "state.h"

/* Of the calling thread, into its slot. */
void bounds_find(struct slot *s);

#endif
