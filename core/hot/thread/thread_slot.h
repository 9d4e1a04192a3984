/* Context: S.  Slots: what we know of each thread that we clock. */
#ifndef THREAD_SLOT_H
#define THREAD_SLOT_H

#include "base/state.h"
#include "thread/signal_chain.h"

/* Is p the address of a slot of ours?  Any value may be asked. */
bool thread_slot_is_valid(const void *p);

/*
 * A free slot, state THREAD_SLOT_TAKEN, its altstack kept; NULL: none, counted.
 */
struct thread_slot *thread_slot_take(void);

/* The same, where thread_slot_reclaim() has just been called. */
struct thread_slot *thread_slot_take_or_add(void);

/*
 * Gives back a slot in state THREAD_SLOT_TAKEN; only the thread that took it
 * calls this.
 */
void thread_slot_free(struct thread_slot *s);

/* Give back the slots of threads that are gone, and their timers. */
void thread_slot_reclaim(void);

/*
 * A thread between its birth and its wrapper may have been adopted by a sweep:
 * s is the one slot of its thread from here on.
 */
void thread_slot_drop_duplicate(struct thread_slot *s);

/*
 * Makes a slot that is live findable by its tid, for
 * thread_slot_drop_duplicate(), thread_slot_count() and thread_slot_of_tid().
 */
void thread_slot_index_add(struct thread_slot *s);

/* Live slots of this thread: two while a sweep and its wrapper both have it. */
unsigned thread_slot_count(int tid);

/*
 * Keep ticks of its thread out, for a moment: until s->busy is 0 again.  False:
 * one is at it and does not end.
 */
bool thread_slot_lock(struct thread_slot *s);

/* A live slot given up by whoever made it, who has held it busy since. */
void thread_slot_abandon(struct thread_slot *s);

/* The slot of a live thread, by tid; NULL none. */
struct thread_slot *thread_slot_of_tid(int tid);

/*
 * Returns whether the program has replaced the thread pointer of the calling
 * thread, whose slot is s.  Emulators do that to run foreign code.  Then no
 * thread-local variable can be accessed.  Behind seccomp, where a system call
 * may kill, the function cannot see it without the instruction and returns
 * false.
 */
bool thread_slot_tls_replaced(const struct thread_slot *s);

/*
 * Returns the slot of the calling thread, or NULL if it has none, without a
 * thread-local variable if its thread pointer has been replaced.  For signal
 * handlers, which may interrupt such code.
 */
struct thread_slot *thread_slot_current(void);

/* Visit every slot that was ever taken. */
typedef void thread_slot_visit(struct thread_slot *s, void *arg);
void thread_slot_for_each(thread_slot_visit *visit, void *arg);

/* Does the stack that its handler runs on hold a tick?  Else it is counted. */
bool thread_slot_stack_fits(struct thread_slot *s, const ucontext_t *uc);

/*
 * Blocks all signals, so that no handler of the program runs until
 * thread_slot_restore_mask(), but not those that tell of a fault: a fault of
 * ours has to reach our handler even where the program blocks its signal.  That
 * handler keeps what was sent until the mask is as it was.  Writes the mask
 * before to *before.
 */
static inline void
thread_slot_block_signals(sys_sigset *before)
{
	const sys_sigset ours = signal_chain_guarded();
	const sys_sigset all = ~(SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGTRAP) |
	    ours);

	sys_sigprocmask(SIG_BLOCK, &all, before);
	if ((*before & ours) != 0)
		sys_sigprocmask(SIG_UNBLOCK, &ours, NULL);
}

/*
 * After thread_slot_block_signals().  A tick that comes with this has waited,
 * and the system call that it seems to be in is ours.
 */
static inline void
thread_slot_restore_mask(const sys_sigset *before)
{
	if (thread_slot_self != NULL)
		thread_slot_self->waited = true;
	atomic_signal_fence(memory_order_seq_cst);
	sys_sigprocmask(SIG_SETMASK, before, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	if (thread_slot_self != NULL)
		thread_slot_self->waited = false;
}

#endif
