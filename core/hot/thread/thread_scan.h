/* Context: S.  Threads that came without passing a hook of ours. */
#ifndef THREAD_SCAN_H
#define THREAD_SCAN_H

#include "base/state.h"

/*
 * Clock every thread of the process that has no slot yet, if the kernel counts
 * other threads than we do; at most once a second.
 */
void thread_scan_if_due(void);

/* Look for such threads now. */
void thread_scan_now(void);

/* A slot and a coarse clock for a thread that exists.  NULL: counted. */
struct thread_slot *thread_scan_attach(int tid);

#endif
