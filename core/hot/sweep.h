/* Context: S.  Threads that came without passing a hook of ours. */
#ifndef SWEEP_H
#define SWEEP_H

#include "state.h"

/*
 * Clock every thread of the process that has no slot yet, if the kernel counts
 * other threads than we do; at most once a second.
 */
void sweep_sometimes(void);

/* Look for such threads now. */
void sweep_now(void);

/* A slot and a coarse clock for a thread that exists.  NULL: counted. */
struct slot *sweep_adopt(int tid);

#endif
