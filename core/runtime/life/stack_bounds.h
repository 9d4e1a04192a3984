/*
 * Context: T.  Finds the bounds of a thread's stack, as far as they are
 * certain, when the thread begins.  Its ticks read within them unchecked.
 */
#ifndef STACK_BOUNDS_H
#define STACK_BOUNDS_H

#include "base/state.h"

/*
 * Writes the bounds of the calling thread's stack to its slot s.  Reads
 * s->stack.bytes, the size that libc has given the stack; 0: not known.
 */
void stack_bounds_find(struct thread_slot *s);

#endif
