/* Context: T.  Signal masks as the program sets and sees them. */
#ifndef SIGMASK_H
#define SIGMASK_H

#include "thread/signal_mask.h"

/* libc keeps these two for itself and lets nobody block them. */
#define SIGMASK_LIBC	(SYS_SIGBIT(32) | SYS_SIGBIT(33))

/*
 * First in each thread that we clock.  inherited: its maker's, who had the tick
 * blocked for the sake of a handler (sigmask_holds_tick) if held.
 */
void sigmask_init_thread(const struct signal_mask_program *inherited,
    bool held);
bool sigmask_holds_tick(void);

/* sigprocmask(2).  0 or -errno. */
int sigmask_change(int how, const sigset_t *set, sigset_t *old);

/* sigpending(2): none of our ticks.  0 or -errno. */
int sigmask_pending(sigset_t *set);

/*
 * Take pending ticks of ours off the queue; T must be really blocked.  Those of
 * the signal that they moved away from too, where that is blocked.
 */
void sigmask_drain(void);

/* That signal, while ours may still come by it; else none. */
static inline uint64_t
sigmask_former_tick(void)
{
	int front = virtual_signals.fronted;

	return front == 0 ? 0 : SYS_SIGBIT(front);
}

/*
 * Returns the mask to pass to the kernel in place of `set` for a call that
 * waits with it: `copy`, or `set` itself if that is NULL or cannot be read.
 */
const sigset_t *sigmask_for_wait(const sigset_t *set, sigset_t *copy);

/*
 * Returns the set of signals to wait for, without ours, in the same way.  A
 * program that waits for T uses it: T becomes the program's own first.
 */
const sigset_t *sigmask_for_sigwait(const sigset_t *set, sigset_t *copy);

/* The program's own mask really in force, until sigmask_restore(before). */
uint64_t sigmask_apply_program(void);
void sigmask_restore(uint64_t before);

/* libc's sets hold the kernel's 64 bits in their first word. */
static inline uint64_t *
sigmask_bits(sigset_t *set)
{
	return (uint64_t *)set;
}

static inline void
sigmask_set(sigset_t *set, uint64_t bits)
{
	*set = (sigset_t){0};
	*sigmask_bits(set) = bits;
}

static inline uint64_t
sigmask_bits_of(const sigset_t *set)
{
	return *(const uint64_t *)set;
}

#endif
