/*
 * Context: S.  Writes into the file what it says about a thread, and the
 * kernel's CPU times.  Called by record.c (for ticks, sleepers, freezes and
 * flushes), by ticks, at the end of a thread, at the seal, and before a seccomp
 * filter.
 */
#ifndef THREAD_RECORD_H
#define THREAD_RECORD_H

#include "base/state.h"

/*
 * Makes the record of the slot's thread in the current file, unless it has one.
 * Returns whether it has one now: false if the file has no room.  The store is
 * ready, and the caller holds the slot's `busy` or keeps the thread's ticks
 * out.  For another thread than the caller it reads the thread's name from a
 * file, as proc_info_read() does.
 */
bool thread_record_make(struct thread_slot *s);

/*
 * Writes the kernel's CPU times of the thread and of the process, and the state
 * of the thread's clocks, into the file, and sets s->cpu.ns.  With many
 * threads, it writes the process's only now and then.  Does nothing if the
 * thread has no record in the present file.  Only the slot's own thread calls
 * it, with its ticks kept out, not in a frozen process.
 */
void thread_record_times(struct thread_slot *s);

/*
 * Writes the CPU time of the process, the lives of its threads, and the CPU
 * time and number of its children, into the file, if there is one.  Not in a
 * frozen process.
 */
void thread_record_process_times(void);

#endif
