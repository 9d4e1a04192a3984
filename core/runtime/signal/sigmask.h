/*
 * Context: T.  Translates signal masks between those that the program sets and
 * sees, and the kernel's (signal_mask.h), for hooks of masks and actions
 * (preload/signal), the begin of threads, exec, and the other files of this
 * room.  All functions work on the calling thread.
 */
#ifndef SIGMASK_H
#define SIGMASK_H

#include "thread/signal_mask.h"

/* Signals that libc keeps for itself; no program can block them. */
#define SIGMASK_LIBC	(SYS_SIGBIT(32) | SYS_SIGBIT(33))

/*
 * Sets the mask of the calling thread, which begins.  inherited: what the mask
 * of the thread's maker did not show (signal_mask_own.program); NULL in the
 * first thread of a process image.  If it is the address of the caller's own,
 * as in the first thread of a fork child, does nothing.  held: the tick's
 * signal was blocked in the maker because a handler ran (sigmask_holds_tick()).
 */
void sigmask_init_thread(const struct signal_mask_program *inherited,
    bool held);

/*
 * Returns whether the tick's signal is blocked in the calling thread although
 * the program has not blocked it, because a handler runs on an alternate stack.
 * Makes a system call: not for a frozen process.
 */
bool sigmask_holds_tick(void);

/*
 * Does what sigprocmask(2) does, as the program sees it; either pointer may be
 * NULL.  In a vfork child, puts the program's own mask in force first.  Returns
 * 0 or -errno.
 */
int sigmask_change(int how, const sigset_t *set, sigset_t *old);

/*
 * Does what sigpending(2) does, hides the ticks, and counts those that are
 * pending.  Returns 0 or -errno.
 */
int sigmask_pending(sigset_t *set);

/*
 * Takes pending ticks and kicks off the queue and counts the ticks; sends
 * signals of other senders again.  The tick's signal must be blocked in the
 * kernel, and the process not frozen.  Also takes ticks by the signal of
 * sigmask_former_tick(), if that is blocked.
 */
void sigmask_drain(void);

/*
 * Returns the bit of the other signal that libmon handles besides the tick's
 * (virtual_signals.fronted), or 0 if there is none.  After a move it is the
 * signal that the ticks have left, by which some may still come; before it, the
 * one that they would move to, by which none comes.
 */
static inline uint64_t
sigmask_former_tick(void)
{
	int front = virtual_signals.fronted;

	return front == 0 ? 0 : SYS_SIGBIT(front);
}

/*
 * Puts the program's own mask in force in the kernel, until sigmask_restore()
 * with the result, for an exec or a spawn and in vfork children.  The tick's
 * signal stays blocked while a handler runs on a stack without room for a tick.
 */
uint64_t sigmask_apply_program(void);

/* Restores the mask that sigmask_apply_program() has returned. */
void sigmask_restore(uint64_t before);

/* Returns the address of the kernel's 64 bits in a libc set: its first word. */
static inline uint64_t *
sigmask_bits(sigset_t *set)
{
	return (uint64_t *)set;
}

/* Sets *set to the signals of `bits`, and all its other words to 0. */
static inline void
sigmask_set(sigset_t *set, uint64_t bits)
{
	*set = (sigset_t){0};
	*sigmask_bits(set) = bits;
}

/* Returns the kernel's 64 bits of a libc set. */
static inline uint64_t
sigmask_bits_of(const sigset_t *set)
{
	return *(const uint64_t *)set;
}

#endif
