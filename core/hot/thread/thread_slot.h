/*
 * Context: S.  Slots: one for each thread that we clock, with all that we know
 * of it.  These functions find, take, free and lock them.  Called by ticks, the
 * start and end of threads, scans, and the seal, in any thread; by all of the
 * target that blocks signals.  Functions that only look may be called anywhere;
 * those that take, free or wait make system calls, so not in a frozen process.
 */
#ifndef THREAD_SLOT_H
#define THREAD_SLOT_H

#include "base/state.h"
#include "thread/signal_chain.h"

/* Returns whether p is the address of a slot.  p may have any value. */
bool thread_slot_is_valid(const void *p);

/*
 * Takes a free slot.  Returns it in state THREAD_SLOT_TAKEN, with the altstack
 * and the path of its last thread, or NULL if there is none, which is counted
 * as a loss.  Reclaims slots of dead threads now and then.  The maker of a
 * thread calls it, or a thread that begins.
 */
struct thread_slot *thread_slot_take(void);

/*
 * Does what thread_slot_take() does without reclaiming slots, for callers that
 * have just done so.
 */
struct thread_slot *thread_slot_take_or_add(void);

/*
 * Frees a slot in state THREAD_SLOT_TAKEN.  Only the thread that took it calls
 * this.
 */
void thread_slot_free(struct thread_slot *s);

/*
 * Frees the slots of threads that are gone, and deletes their timers.  Does
 * nothing while another thread is at it, or behind a seccomp filter.
 */
void thread_slot_reclaim(void);

/*
 * Frees any other slot of the thread of s, so that s is its only slot.  A scan
 * may have given it a slot between the thread's birth and its start wrapper,
 * which calls this; it waits until the scan is done with that slot.
 */
void thread_slot_drop_duplicate(struct thread_slot *s);

/*
 * Makes a live slot findable by its thread's id, for
 * thread_slot_drop_duplicate(), thread_slot_count() and thread_slot_of_tid().
 */
void thread_slot_index_add(struct thread_slot *s);

/*
 * Returns the number of live slots of this thread: two while both a scan and
 * its start wrapper have made one.
 */
unsigned thread_slot_count(int tid);

/*
 * Keeps ticks of the thread of s out of the slot until the caller stores 0 in
 * s->busy.  Waits for a tick that is under way, in steps of 0.1 ms.  Returns
 * false if that has not ended after 100 of them, for example because the caller
 * has interrupted it.  Seals, freezes and stops of all clocks call it, for each
 * slot.
 */
bool thread_slot_lock(struct thread_slot *s);

/*
 * Gives up a live slot whose maker is the caller, which has held it busy since
 * then.
 */
void thread_slot_abandon(struct thread_slot *s);

/* Returns the slot of a live thread with this id, or NULL if there is none. */
struct thread_slot *thread_slot_of_tid(int tid);

/*
 * Returns whether the program has replaced the thread pointer of the calling
 * thread, whose slot is s, since libc set it.  Emulators do that to run foreign
 * code.  Then no thread-local variable can be accessed.  Where a seccomp filter
 * may kill for a system call, the function can find out only by a machine
 * instruction; if there is none, it returns false.
 */
bool thread_slot_tls_replaced(const struct thread_slot *s);

/*
 * Returns the slot of the calling thread, or NULL if it has none.  Uses no
 * thread-local variable if the thread pointer has been replaced; in a frozen
 * process it cannot find that out, and uses one.  Signal handlers call it,
 * because they may interrupt such code.
 */
struct thread_slot *thread_slot_current(void);

/*
 * Returns whether the stack on which the calling tick handler runs has room for
 * a tick.  If not, counts one loss for the thread of s.  uc: the context of the
 * handler.
 */
bool thread_slot_stack_fits(struct thread_slot *s, const ucontext_t *uc);

/*
 * Blocks all signals, so that no handler of the program runs until
 * thread_slot_restore_mask().  SIGBUS and SIGTRAP stay open, and so does
 * SIGSEGV if our handler is in force for it: a fault of ours has to reach our
 * handler even if the program blocks its signal.  If such a signal was sent to
 * the program, that handler keeps it pending until the mask is as before.
 * Writes the old mask to *before.  Any thread and any signal handler may call
 * it, but not in a frozen process.
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
 * Restores the mask that thread_slot_block_signals() has written.  A tick that
 * comes during this call has waited, and the system call in which it seems to
 * be is ours; `waited` says so.
 */
static inline void
thread_slot_restore_mask(const sys_sigset *before)
{
	if (thread_slot_self != NULL)
		thread_slot_self->coarse_clock.waited = true;
	atomic_signal_fence(memory_order_seq_cst);
	sys_sigprocmask(SIG_SETMASK, before, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	if (thread_slot_self != NULL)
		thread_slot_self->coarse_clock.waited = false;
}

#endif
