/*
 * Context: S.  Writes into the file what it says about a thread, and the
 * kernel's CPU times.
 */
#ifndef THREAD_RECORD_H
#define THREAD_RECORD_H

#include "base/state.h"

/*
 * Makes the record of the slot's thread in the current file, unless it has one.
 * Returns whether it has one now.  The caller holds the slot's `busy`.
 */
bool thread_record_make(struct thread_slot *s);

/*
 * Writes the kernel's CPU times of the thread and of the process, and the state
 * of the thread's clocks, into the file.  With many threads, it writes the
 * process's only now and then.  Only the slot's own thread calls it.
 */
void thread_record_times(struct thread_slot *s);

/*
 * Writes the CPU time of the process and of its children into the file, if
 * there is one.
 */
void thread_record_process_times(void);

#endif
