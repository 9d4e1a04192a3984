/*
 * Context: S.  Finds the callers of a place in a thread: where a tick found it,
 * where it entered the kernel, sleeps or allocates.  tick_path.c and the path
 * cache call it, in the thread itself, on any stack that has room for a tick;
 * the helper of clock=wall, which has no TLS, walks a copy of a sleeper's
 * stack.  The handler of memory faults calls the last function.  In a frozen
 * process a walk makes no system call.
 */
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include "base/state.h"

/*
 * A frame is one word: a return address, or one of these with an address or a
 * reason.
 * - INTERRUPTED: the address of the instruction that a signal interrupted.
 * - CUT: the enum format_cut that says why callers are missing.
 * - GUESSED: a return address that was found where a frame pointer may have
 *   been.
 *
 * ADDRESS is the mask of the address.
 */
#define STACK_WALK_INTERRUPTED	((uint64_t)1 << 63)
#define STACK_WALK_CUT	((uint64_t)1 << 62)
#define STACK_WALK_GUESSED	((uint64_t)1 << 61)
#define STACK_WALK_ADDRESS	(((uint64_t)1 << 61) - 1)

/*
 * The start of a walk: a place in the slot's thread, and the registers there.
 */
struct stack_walk_start {
	uintptr_t pc, sp;
	bool called;		/* pc is a return address */
	bool registers;		/* the next four members are known */
	uintptr_t fp, base, link;
	const ucontext_t *all;	/* all registers, or NULL */
	/*
	 * copy of the stack from sp on, and the walk loads nothing else; NULL:
	 * the walk loads the stack as it is now
	 */
	const uint64_t *stack;
	unsigned words;		/* of `stack` */
	/* the helper of clock=wall walks the stack of another thread */
	bool asleep;
};

/*
 * Fills *from with the place where the signal with this context interrupted the
 * thread.
 */
void stack_walk_start_tick(struct stack_walk_start *from, const ucontext_t *uc);

/*
 * Prepares *w to walk from the place *from, in the slot's thread.  The caller
 * then calls unwind_step_out() within stack_walk_guard().
 */
struct stack_walk;
void stack_walk_begin(struct stack_walk *w, struct thread_slot *s,
    const struct stack_walk_start *from);

/*
 * Returns whether the frame is where the kernel began the first thread, which
 * has no caller.
 */
bool stack_walk_is_at_entry(const struct stack_walk *w);

/*
 * Writes the callers to `frames`, innermost first, at most `room`, which is 4
 * or more, and returns their number.  If the stack is deeper, it writes both
 * ends, with FORMAT_CUT_DEPTH between them.  A memory fault ends the walk, and
 * is counted as LOSS_FAULT.  The caller keeps the thread's ticks out of s, or
 * is a counted allocation of that thread.  *unknown: an address for which the
 * table of modules has no code, or 0.
 */
unsigned stack_walk(struct thread_slot *s, const struct stack_walk_start *from,
    uint64_t *frames, unsigned room, uintptr_t *unknown);

/*
 * Runs fn(arg), which loads from a stack and from the tables of its code.  A
 * memory fault ends it.  place: where walks of the calling thread keep the
 * context to return to: `back` of its slot, or mon->wall_back for the helper of
 * clock=wall.  Returns true if fn has returned, false after a fault.
 */
#define STACK_WALK_JMPBUF_WORDS	5u	/* words of __builtin_setjmp() */
bool stack_walk_guard(void ***place, void (*fn)(void *), void *arg);

/*
 * Makes the walk of the calling thread end at this fault.  The handler of
 * SIGSEGV and SIGBUS calls it.  Returns true if the fault is one of a walk,
 * which ends when the handler returns, or of an arch_load_or_zero().
 */
bool stack_walk_catch_fault(ucontext_t *uc);

#endif
