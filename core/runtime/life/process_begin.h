/*
 * Context: T.  Begins the profiling of a process, at the start of the library
 * and in fork children: its state, the actions of its signals, its threads and
 * their clocks.
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
 * Begins the process, with the state all zero.  forked: it is a fork child.
 * pid: its own.  Does nothing if a signal handler has begun it meanwhile.
 */
void process_begin(bool forked, int pid);

#endif
