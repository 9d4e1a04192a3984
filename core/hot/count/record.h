/* Context: S.  Counts a tick in the tree, or keeps it until there is a file. */
#ifndef RECORD_H
#define RECORD_H

#include "base/state.h"

/* Is there a file with a record of this thread?  Makes them in time. */
bool record_prepare(struct thread_slot *s);

enum record_want {
	RECORD_EITHER,		/* user or kernel time, whichever pc shows */
	RECORD_USER,		/* of the fine clock */
	RECORD_PAST,		/* the same, not where the thread is now: its
				   text may be gone */
	RECORD_KERNEL,		/* only if it is kernel time */
};

/*
 * Counts `n` observations of the slot's thread at pc that stand for `ns`, and
 * up to as many ns again of s->backlog.  Returns false if `want` does not fit
 * pc, or if nothing can be counted.
 */
bool record_tick(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns);

/* Counts all of s->backlog at pc. */
void record_backlog(struct thread_slot *s, uintptr_t pc);

/*
 * The same at a kernel address, of the kernel=detail event; from: where the
 * program went into the kernel, NULL: not known.
 */
struct stack_walk_start;
void record_kernel(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t n, uint64_t ns);

/*
 * What waits in the slot for its thread's next tick, which will not come, is
 * counted now, or lost where there is no file.
 */
void record_flush_pending(struct thread_slot *s);

/* Does something wait there for the file that another thread makes? */
bool record_has_pending(const struct thread_slot *s);

/*
 * Counts ns that the slot's thread slept in the call before pc.  from: the same
 * place with the thread's stack; NULL: the stack is gone.  Returns the node
 * that was counted, for record_sleep_again(), or 0 if the caller has to look at
 * the place again.
 */
uint32_t record_sleep(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t ns);

/*
 * Counts ns more at that node, of a thread that has not run since.  Returns
 * false if nothing was counted and the caller has to look at the place again.
 */
bool record_sleep_again(struct thread_slot *s, uint32_t node, uint64_t ns);

#endif
