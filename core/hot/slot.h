/* Context: S.  Slots: what we know of each thread that we clock. */
#ifndef SLOT_H
#define SLOT_H

#include "state.h"
#include "view.h"

/* Is p the address of a slot of ours?  Any value may be asked. */
bool slot_valid(const void *p);

/* A free slot, state SLOT_TAKEN, its altstack kept; NULL: none, counted. */
struct slot *slot_take(void);

/* The same, where slot_reclaim() has just been called. */
struct slot *slot_take_reclaimed(void);

/*
 * Gives back a slot in state SLOT_TAKEN; only the thread that took it calls
 * this.
 */
void slot_free(struct slot *s);

/* Give back the slots of threads that are gone, and their timers. */
void slot_reclaim(void);

/*
 * A thread between its birth and its wrapper may have been adopted by a sweep:
 * s is the one slot of its thread from here on.
 */
void slot_retire_twin(struct slot *s);

/*
 * Makes a slot that is live findable by its tid, for slot_retire_twin(),
 * slot_count() and slot_of().
 */
void slot_enter(struct slot *s);

/* Live slots of this thread: two while a sweep and its wrapper both have it. */
unsigned slot_count(int tid);

/*
 * Keep ticks of its thread out, for a moment: until s->busy is 0 again.  False:
 * one is at it and does not end.
 */
bool slot_hold(struct slot *s);

/* A live slot given up by whoever made it, who has held it busy since. */
void slot_drop(struct slot *s);

/* The slot of a live thread, by tid; NULL none. */
struct slot *slot_of(int tid);

/*
 * Returns whether the program has replaced the thread pointer of the calling
 * thread, whose slot is s.  Emulators do that to run foreign code.  Then no
 * thread-local variable can be accessed.  Behind seccomp, where a system call
 * may kill, the function cannot see it without the instruction and returns
 * false.
 */
bool slot_is_away(const struct slot *s);

/*
 * Returns the slot of the calling thread, or NULL if it has none, without a
 * thread-local variable if its thread pointer has been replaced.  For signal
 * handlers, which may interrupt such code.
 */
struct slot *slot_here(void);

/* Visit every slot that was ever taken. */
typedef void slot_visit(struct slot *s, void *arg);
void slot_each(slot_visit *visit, void *arg);

/* Does the stack that its handler runs on hold a tick?  Else it is counted. */
bool slot_has_room(struct slot *s, const ucontext_t *uc);

/*
 * Blocks all signals, so that no handler of the program runs until
 * slot_unshut(), but not those that tell of a fault: a fault of ours has to
 * reach our handler even where the program blocks its signal.  That handler
 * keeps what was sent until the mask is as it was.  Writes the mask before to
 * *before.
 */
static inline void
slot_shut(sys_sigset *before)
{
	const sys_sigset ours = view_guarded();
	const sys_sigset all = ~(SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGTRAP) |
	    ours);

	sys_sigprocmask(SIG_BLOCK, &all, before);
	if ((*before & ours) != 0)
		sys_sigprocmask(SIG_UNBLOCK, &ours, NULL);
}

/*
 * After slot_shut().  A tick that comes with this has waited, and the system call
 * that it seems to be in is ours.
 */
static inline void
slot_unshut(const sys_sigset *before)
{
	if (slot_self != NULL)
		slot_self->waited = true;
	atomic_signal_fence(memory_order_seq_cst);
	sys_sigprocmask(SIG_SETMASK, before, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	if (slot_self != NULL)
		slot_self->waited = false;
}

#endif
