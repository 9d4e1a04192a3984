/* Context: T.  Where a thread's stack is, as far as that is sure. */
#ifndef STACK_BOUNDS_H
#define STACK_BOUNDS_H

#include "base/state.h"

/* Of the calling thread, into its slot. */
void stack_bounds_find(struct thread_slot *s);

#endif
