/* Context: S.  The callers of the place where a tick found its thread. */
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include "base/state.h"

/*
 * A frame in one word: a return address, or with one of these an address where
 * a signal's handler ran, or the enum format_cut of what is not there, or the
 * same as without but found where a frame pointer may have been.
 */
#define STACK_WALK_INTERRUPTED	((uint64_t)1 << 63)
#define STACK_WALK_CUT	((uint64_t)1 << 62)
#define STACK_WALK_GUESSED	((uint64_t)1 << 61)
#define STACK_WALK_ADDRESS	(((uint64_t)1 << 61) - 1)

/* Where one begins: a place of the slot's thread, and its registers there. */
struct stack_walk_start {
	uintptr_t pc, sp;
	bool called;		/* pc is behind a call */
	bool registers;		/* these are known: */
	uintptr_t fp, base, link;
	const ucontext_t *all;	/* and the others, or NULL */
	const uint64_t *stack;	/* what lay at sp then, and no more is to be
				   loaded; NULL: what lies there now */
	unsigned words;		/* of `stack` */
	bool asleep;		/* the helper of clock=wall walks the stack of
				   another thread */
};

void stack_walk_start_tick(struct stack_walk_start *from, const ucontext_t *uc);

/*
 * The callers, innermost first, at most `room` of them, which is 4 or more.  Of
 * a deeper stack both ends.  Their number.  *unknown: where it found no code in
 * the table of modules, or 0.
 */
unsigned stack_walk(struct thread_slot *s, const struct stack_walk_start *from,
    uint64_t *frames, unsigned room, uintptr_t *unknown);

/*
 * Runs fn(arg), which loads from a stack and from the tables of its code.  A
 * fault in it ends it.  place: where the calling thread's walks keep the way
 * back: back in its slot, or wall_back of the helper of clock=wall.  Returns
 * whether fn has returned.  Context S.
 */
#define STACK_WALK_JMPBUF_WORDS	5u	/* words of __builtin_setjmp() */
bool stack_walk_guard(void ***place, void (*fn)(void *), void *arg);

/*
 * Makes the walk of the calling thread end at this fault.  The handler of a
 * fault calls it.  Returns true if the fault is one of a walk, which ends when
 * the handler returns, or of an arch_load_or_zero().  Context S.
 */
bool stack_walk_catch_fault(ucontext_t *uc);

#endif
