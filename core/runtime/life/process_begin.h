/*
 * Context: T.  Begins the profiling of a process, at the start of the library
 * (start.c) and in fork children (process_fork.c): its state, the actions of
 * its signals, its threads and their clocks.  Unless start=off is set, the
 * profile itself is made later, when something is counted.
 */
#ifndef PROCESS_BEGIN_H
#define PROCESS_BEGIN_H

#include <stdbool.h>

/*
 * Sets `mon` to the state, which the kernel wipes in fork children where it
 * can (config.wiped).  Called once, at the start of the library.
 */
void process_begin_state(void);

/*
 * Begins the process, with the state all zero, in the calling thread.  forked:
 * it is a fork child.  pid: its own.  If a signal handler has begun it
 * meanwhile, only writes the times of its birth again.
 */
void process_begin(bool forked, int pid);

#endif
