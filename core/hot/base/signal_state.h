/*
 * Context: S.  The signals that the library uses.  core/runtime/signal (the
 * hooks on signals, exec and fork), seccomp and core/hot/thread write this
 * state; the tick handler and all that blocks signals read it.  No lock guards
 * it.  Part of state.h.
 */
#ifndef SIGNAL_STATE_H
#define SIGNAL_STATE_H

#include "base/sys.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The signals of faults that the library handles in place of the program.
 * virtual_fault_signals has their numbers.
 */
enum { VIRTUAL_FAULT_BUS, VIRTUAL_FAULT_SEGV, VIRTUAL_FAULTS };

extern const int virtual_fault_signals[VIRTUAL_FAULTS];

/* A signal of faults. */
struct virtual_fault {
	bool installed;		/* our action is in force */
	struct sys_sigaction program;	/* the program's action */
};

/*
 * The signals that the library uses, as the program sees them.  A fork does not
 * wipe this: the child goes on with the state of its parent.
 */
struct virtual_signals {
	_Atomic int signal;	/* the tick's present signal */
	/*
	 * the signal that the tick moves to; after the move, the tick's former
	 * signal
	 */
	_Atomic int other;
	/* a thread makes the move, which happens only once */
	_Atomic bool moving;
	/* the tick has moved away from the signal that was asked for */
	bool moved;
	/* our action for the tick's signal is in force */
	bool installed;
	/*
	 * `other`, if our action is in force in place of the program's for it,
	 * too; 0: none
	 */
	int fronted;
	struct sys_sigaction front;	/* the program's action for `fronted` */
	/* the program's action for the tick's signal */
	struct sys_sigaction tick;
	struct virtual_fault faults[VIRTUAL_FAULTS];
	/* the last handler for SIGSEGV that was set through libc */
	_Atomic(void *) segv_handler;
	/* our action for the tick's signal, as installed */
	struct sys_sigaction real_tick;
	/*
	 * Signals whose sa_mask, as the program set it, holds the tick's signal
	 * (masked) or SIGNAL_MASK_SHADOW (shadowed).
	 */
	_Atomic uint64_t masked;
	_Atomic uint64_t shadowed;
	/*
	 * threads inside an exec, while exec_signals.c has the program's
	 * ignored signals really ignored
	 */
	_Atomic int exposers;
	/*
	 * The program handles signals, other than those of faults, on alternate
	 * stacks.
	 */
	_Atomic bool on_stack;
	/*
	 * A thread uses an alternate stack that the program has set and that is
	 * smaller than ours.  If on_stack is set, too, the stack may hold no
	 * more than the program's handler, so no kick may come.
	 */
	_Atomic bool own_stacks;
	/*
	 * A handler of the program can run while the tick's signal is really
	 * blocked.
	 */
	_Atomic bool may_hold;
	/* mon->frozen, which a fork child inherits here */
	_Atomic bool boxed;
	/*
	 * threads in vfork(2), or in a clone(2) that shares the memory: hooks
	 * also run in such children
	 */
	_Atomic int vforks;
	/* another process may share our descriptor table */
	_Atomic bool files_shared;
};

/*
 * They belong to the process; a fork child has a copy, a vfork child shares
 * them.
 */
extern struct virtual_signals virtual_signals;

#endif
