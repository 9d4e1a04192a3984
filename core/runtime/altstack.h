/* Context: T.  Alternate signal stacks: ours where the program has none. */
#ifndef ALTSTACK_H
#define ALTSTACK_H

#include "state.h"

/*
 * A program's own SA_ONSTACK handlers run on it too, in threads where the
 * program set none: hence as large as some threads' whole stacks.  Only what is
 * touched is memory.
 */
#define ALTSTACK_BYTES	(256u << 10)

/* What a tick needs beyond the kernel's frame. */
#define ALTSTACK_NEED	CONFIG_STACK

/* Give the calling thread one of ours, unless it has one. */
void altstack_take(struct slot *s);

/*
 * Have one at hand for any thread that libc made, where no call may be made
 * later: it takes the place of a small one then.  s->altstack NULL: none to be
 * had.
 */
void altstack_provide(struct slot *s);

/*
 * sigaltstack(2) as the program is to see it; `real` is the call itself.
 * Returns what it returns.
 */
int altstack_set(const stack_t *set, stack_t *old,
    int (*call)(const stack_t *, stack_t *));

#endif
