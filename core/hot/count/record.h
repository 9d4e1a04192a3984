/*
 * Context: S.  Counts samples of ticks, of kernel functions and of sleeps in
 * the call tree, or keeps those of a tick in the slot until they can be
 * counted.  Called by the handler of a tick, for its thread; by the helper of
 * clock=wall, for sleepers; and by what frees a slot, ends a thread, freezes,
 * execs or seals.  The caller holds the slot's `busy`, or keeps the thread's
 * ticks out otherwise.
 */
#ifndef RECORD_H
#define RECORD_H

#include "base/state.h"

/*
 * Makes the file, if it is time to, and the thread's record in it.  Returns
 * whether both exist now.  The thread that is about to freeze the process calls
 * it, for each thread.
 */
bool record_prepare(struct thread_slot *s);

/* The time that a sample may stand for. */
enum record_want {
	RECORD_EITHER,		/* user or kernel time, whichever pc shows */
	RECORD_USER,		/* user time, from the fine clock */
	/*
	 * user time at a place where the thread is not now, so the text there
	 * may be gone
	 */
	RECORD_PAST,
	RECORD_KERNEL,		/* only if it is kernel time */
};

/*
 * Counts n samples of the slot's thread at pc that stand for ns, and up to as
 * many ns more from s->pending.backlog; or keeps them in the slot while another
 * thread makes the file or reads the memory map.  Returns whether it counted or
 * kept them: false if `want` does not fit pc, or if nothing can be counted; the
 * latter is a loss, unless counting is stopped.  User time that cannot be
 * counted in the file still counts in the program's histograms.
 */
bool record_tick(struct thread_slot *s, uintptr_t pc, enum record_want want,
    uint64_t n, uint64_t ns);

/* Counts all of s->pending.backlog at pc, for a thread without a fine clock. */
void record_backlog(struct thread_slot *s, uintptr_t pc);

/*
 * Counts n samples that stand for ns at the kernel address pc, from the
 * kernel=detail event.  from: where the program entered the kernel, or NULL if
 * that is not known.
 */
struct stack_walk_start;
void record_kernel(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t n, uint64_t ns);

/*
 * Counts the samples and the backlog that wait in the slot for its thread's
 * next tick, which will not come.  If there is no file or no room, the samples
 * are counted as lost, and the backlog is dropped, which is no loss.
 */
void record_flush_pending(struct thread_slot *s);

/*
 * Returns whether samples wait in the slot for the file that another thread is
 * making, so that the slot must not be freed yet.
 */
bool record_has_pending(const struct thread_slot *s);

/*
 * Counts ns that the slot's thread slept in the system call before pc.  The
 * helper of clock=wall calls it, in sleep_sampler.c.  from: the same place with
 * the thread's stack, or NULL if the stack is not known.  Returns the index of
 * the node that was counted, for record_sleep_again(), or 0 if the caller has
 * to look at the place again.
 */
uint32_t record_sleep(struct thread_slot *s, uintptr_t pc,
    const struct stack_walk_start *from, uint64_t ns);

/*
 * Counts ns more of sleep at a node that record_sleep() returned: the helper of
 * clock=wall, of a thread that has not run since; a thread at its end, of
 * itself.  Returns false if nothing was counted and the caller has to look at
 * the place again.
 */
bool record_sleep_again(struct thread_slot *s, uint32_t node, uint64_t ns);

#endif
