/*
 * Context: T.  Begins and ends the profiling of a thread, for the start of a
 * process (process_begin.c) and for the hooks of threads and of sigaltstack(2),
 * which call it only if profiling_is_active().  A thread that no hook saw
 * begin gets its slot from a thread scan (hot/thread/thread_scan.c).
 */
#ifndef THREAD_H
#define THREAD_H

#include "base/state.h"

/*
 * Begins the calling thread, the first of the process: gives it a slot, an
 * alternate stack and a clock.  forked: the process is a fork child.
 */
void thread_start_main(bool forked);

/*
 * Begins the calling thread, whose thread_slot_self is NULL: for example one
 * that libc made for itself, one whose signal handler calls sigaltstack()
 * before thread_run(), or one in which the library starts late.  It gets a slot
 * before a thread scan finds it, as its calls matter to its clock.  Does
 * nothing if the process is frozen or out of slots.
 */
void thread_attach(void);

/*
 * Returns a slot for a thread that is to be created with thread_run() and the
 * slot as its argument; thread_run() then calls fn(argument).  stack_bytes:
 * size of its stack, 0: not known.  Returns NULL if the thread must be created
 * with fn itself: the process is frozen or out of slots.
 */
struct thread_slot *thread_prepare(void *(*fn)(void *), void *argument,
    size_t stack_bytes);

/*
 * Frees a slot of thread_prepare() that is not needed: no thread was created,
 * it is attached already, or the process is frozen.  The slot may be another
 * thread's at once.
 */
void thread_abandon(struct thread_slot *s);

/*
 * Runs in a new thread, with its slot as argument: begins the thread, calls its
 * function, and ends the thread.  If the process is frozen by then, frees the
 * slot and only calls the function.
 */
void *thread_run(void *slot);

/*
 * Ends the calling thread: writes its times into the profile, and marks its
 * slot.  For the main thread, only ends its life; without a slot, or if the
 * thread has ended, does nothing.  The clock goes on, because destructors are
 * still to run.
 */
void thread_end(void);

#endif
