/* Context: S.  What the file says of a thread, and the kernel's CPU times. */
#ifndef THREADRECORD_H
#define THREADRECORD_H

#include "state.h"

/*
 * Makes the record of the slot's thread in the file that there is, where it has
 * none yet.  Returns whether it has one.  By who holds the slot busy.
 */
bool threadrecord_make(struct slot *s);

/*
 * Writes the CPU times of the thread and of the process, by the kernel, and the
 * state of the thread's clocks into the file; beside many threads that of the
 * process now and then.  By the slot's own thread.
 */
void threadrecord_times(struct slot *s);

/* Writes those of the process alone. */
void threadrecord_process_times(void);

#endif
