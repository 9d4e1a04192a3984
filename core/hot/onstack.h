/*
 * Context: S.  Alternate signal stacks: ours with the kernel, the program's
 * behind it; doc/internals.md, section 3.
 *
 * A thread that we clock has a stack of ours set with the kernel, whatever the
 * program sets.  What the program believes is one of the *views* behind that
 * stack.  Which one is told by the size that the kernel knows of our stack: so
 * the kernel keeps it, saves it in signal frames and brings it back.
 */
#ifndef ONSTACK_H
#define ONSTACK_H

#include "state.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM	(1u << 31)	/* linux/signal.h */
#endif

/*
 * Handlers of the program run on it too, in threads where the program has set
 * no stack: hence as large as some threads' whole stacks.  Only what is touched
 * is memory.
 */
#define ONSTACK_BYTES	(256u << 10)

/* A stack for the calling thread to be, or NULL.  The main thread's: in .bss. */
void *onstack_make(bool main);

/* Does `now`, an answer of the kernel's, name a stack of ours? */
bool onstack_is_ours(const stack_t *now);

/* What the program is to see where the kernel answers `now`, at address sp. */
void onstack_show(const stack_t *now, uintptr_t sp, stack_t *shown);

/* What to tell the kernel where the program has set `set` and `base` is ours. */
stack_t onstack_for(void *base, const stack_t *set, const stack_t *now);

/*
 * Put our handler before the program's in an action with SA_ONSTACK, which is
 * about to be set for sig, and take it out of one that the kernel has answered.
 */
void onstack_wrap(int sig, struct sys_sigaction *act);
void onstack_unwrap(int sig, struct sys_sigaction *act);

/*
 * Leave this one handler on our stack, as a handler of ours for a program that
 * dies as its own stack is full.
 */
void onstack_exempt(void *handler);

/*
 * From a handler that the kernel has entered on our stack: go on in
 * handler(sig, si, context) where it belongs, on the stack that the program has
 * set or else on the interrupted one, as if the kernel had entered it there.
 * Returns if it was not entered so, or if the interrupted stack is not known to
 * be the thread's own.
 */
struct frame_entry;
void onstack_go(const struct frame_entry *e, int sig, void *handler);

#endif
