/*
 * Context: T.  Begins and ends the profiling of a thread, for the start of a
 * process and for hooks, which call it only if profiling_is_active().
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
 * with fn itself.
 */
struct thread_slot *thread_prepare(void *(*fn)(void *), void *argument,
    size_t stack_bytes);

/*
 * Frees a slot of thread_prepare() that is not needed: no thread was created,
 * it is attached already, or the process is frozen.
 */
void thread_abandon(struct thread_slot *s);

/*
 * Runs in a new thread, with its slot as argument: begins the thread, calls its
 * function, and ends the thread.
 */
void *thread_run(void *slot);

/*
 * Ends the calling thread: writes its times into the profile, and marks its
 * slot.  Does nothing for the main thread or without a slot.  The clock goes
 * on, because destructors are still to run.
 */
void thread_end(void);

#endif
