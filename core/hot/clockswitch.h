/* Context: S.  When the fine clock of a thread goes on and off. */
#ifndef CLOCKSWITCH_H
#define CLOCKSWITCH_H

#include "state.h"

/*
 * Switches the fine clock of the calling thread on or off, or leaves it as it
 * is.  The handler of a coarse tick calls it with `busy` held.  pc: where the
 * tick found the thread.  ns: CPU time that the tick stands for.  first: it is
 * the first tick of the thread.  s->cpu_ns must be of this tick.
 */
void clockswitch_look(struct slot *s, uintptr_t pc, uint64_t ns, bool first);

#endif
