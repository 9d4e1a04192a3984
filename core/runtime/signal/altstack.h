/*
 * Context: T.  Sets the alternate signal stacks of threads: libmon's in the
 * kernel, the program's in the virtual signal state (signal_stack.h).  For the
 * begin of threads (life/thread.c), the freeze (life/seccomp.c) and the hook of
 * sigaltstack(2).
 */
#ifndef ALTSTACK_H
#define ALTSTACK_H

#include "base/state.h"

/* Bytes that a tick needs on a stack, beyond the kernel's frame. */
#define ALTSTACK_TICK_BYTES	CONFIG_STACK

/*
 * Sets a stack of libmon for the calling thread, which begins and whose slot is
 * s, unless a runtime has set one by a raw system call.  If ticks do not fit
 * there, marks the slot (stack.small) and counts a loss.
 */
void altstack_install(struct thread_slot *s);

/*
 * Gives the slot of any thread a stack of libmon, without setting it: for a
 * time when no memory may be mapped.  s->stack.alt stays NULL if there is no
 * memory.
 */
void altstack_reserve(struct thread_slot *s);

/* Calls sigaltstack(2) itself.  Returns 0, or -1 with errno set. */
typedef int altstack_call(const stack_t *, stack_t *);

/*
 * Does what sigaltstack(set, old) does, as far as the program can see; its
 * answers are the kernel's.  libmon's stack stays set, and the program's is
 * kept beside it.  `call` is libc's function.  Returns 0 or -errno.  May be
 * called in any thread and process, also in a signal handler; in a vfork child
 * the program's stack is set with the kernel.
 */
int altstack_set(const stack_t *set, stack_t *old, altstack_call *call);

#endif
