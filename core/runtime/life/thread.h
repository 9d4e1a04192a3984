/* Context: T.  The life of a thread that we clock. */
#ifndef THREAD_H
#define THREAD_H

#include "base/state.h"

/* The calling thread is the process's first: slot, stack, clock. */
void thread_start_main(bool forked);

/*
 * The calling thread, that libc made for itself, calls us: it gets a slot
 * before a sweep finds it, as what it does matters to its clock.
 */
void thread_attach(void);

/*
 * A slot that carries fn and argument, for a thread with so much of a stack, or
 * 0.  NULL: create it plainly.
 */
struct thread_slot *thread_prepare(void *(*fn)(void *), void *argument,
    size_t stack_bytes);

/* It was not created after all. */
void thread_abandon(struct thread_slot *s);

/* What the new thread runs; its argument is the slot. */
void *thread_run(void *slot);

/* The calling thread is about to end: times into the file, state. */
void thread_end(void);

#endif
