/* Context: T.  Alternate signal stacks: ours with the kernel (onstack.h). */
#ifndef ALTSTACK_H
#define ALTSTACK_H

#include "state.h"

/* What a tick needs beyond the kernel's frame. */
#define ALTSTACK_NEED	CONFIG_STACK

/*
 * Set one of ours for the calling thread, whose slot is s, unless a runtime has
 * set one by a raw system call.
 */
void altstack_take(struct slot *s);

/*
 * Give the slot one of ours to have at hand, where no memory may be mapped
 * later.  s->altstack stays NULL where none can be had.
 */
void altstack_provide(struct slot *s);

/* sigaltstack(2) itself: 0, or -1 and errno. */
typedef int altstack_call(const stack_t *, stack_t *);

/*
 * Do what sigaltstack(set, old) does, as far as the program can see: its answers
 * are the kernel's.  Ours stays set, and the program's is kept beside it.
 * Returns 0 or -errno.  Any thread may call it, signal handlers too.
 */
int altstack_set(const stack_t *set, stack_t *old, altstack_call *call);

#endif
