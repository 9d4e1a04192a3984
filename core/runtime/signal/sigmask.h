/*
 * Context: T.  Translates signal masks between those that the program sets and
 * sees, and the kernel's, for hooks and the other files of this room.  T is the
 * tick's signal (signal_mask.h).
 */
#ifndef SIGMASK_H
#define SIGMASK_H

#include "thread/signal_mask.h"

/* Signals that libc keeps for itself; no program can block them. */
#define SIGMASK_LIBC	(SYS_SIGBIT(32) | SYS_SIGBIT(33))

/*
 * Sets the mask of the calling thread, which begins.  inherited: the mask that
 * the thread's maker had in the program's view; NULL in the first thread of a
 * process image.  held: T was blocked in the maker because a handler ran
 * (sigmask_holds_tick()).
 */
void sigmask_init_thread(const struct signal_mask_program *inherited,
    bool held);

/*
 * Returns whether T is blocked in the calling thread although the program has
 * not blocked it, because a handler runs on an alternate stack.
 */
bool sigmask_holds_tick(void);

/* Does what sigprocmask(2) does.  Returns 0 or -errno. */
int sigmask_change(int how, const sigset_t *set, sigset_t *old);

/* Does what sigpending(2) does, and hides the ticks.  Returns 0 or -errno. */
int sigmask_pending(sigset_t *set);

/*
 * Takes pending ticks off the queue and counts them.  T must be blocked in the
 * kernel.  Also takes ticks of the signal from which the ticks have moved, if
 * that is blocked.
 */
void sigmask_drain(void);

/*
 * Returns the signal from which the ticks have moved, while ticks may still
 * come by it, else 0; as a bit of a mask.
 */
static inline uint64_t
sigmask_former_tick(void)
{
	int front = virtual_signals.fronted;

	return front == 0 ? 0 : SYS_SIGBIT(front);
}

/*
 * Puts the program's own mask in force in the kernel, until sigmask_restore()
 * with the result.  T stays blocked while a handler runs on a stack without
 * room for a tick.
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

/* Sets *set to the signals of `bits`. */
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
