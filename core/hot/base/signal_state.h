/*
 * Context: S.  The signals that the library uses.  The hooks on signals, exec
 * and fork, seccomp and the tick handler read and write this state.  Part of
 * state.h.
 */
#ifndef SIGNAL_STATE_H
#define SIGNAL_STATE_H

#include "base/sys.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The signals that the library uses, as the program sees them.  A fork does not
 * wipe this: the child goes on with the state of its parent.
 */
struct virtual_signals {
	_Atomic int signal;	/* T, the present signal of the tick */
	/* the signal that T moves to; after the move, T's signal before it */
	_Atomic int other;
	/* a thread makes the move, which happens only once */
	_Atomic bool moving;
	/* T has moved away from the signal that was asked for */
	bool moved;
	bool installed;		/* our action for T is in force */
	bool bus_installed;	/* our action for SIGBUS is in force */
	bool segv_installed;	/* our action for SIGSEGV is in force */
	/*
	 * `other`, if our action stands before the program's for it, too; 0:
	 * none
	 */
	int fronted;
	struct sys_sigaction front;	/* the program's action for `fronted` */
	struct sys_sigaction tick;	/* the program's action for T */
	struct sys_sigaction bus;	/* the program's action for SIGBUS */
	struct sys_sigaction segv;	/* the program's action for SIGSEGV */
	/* the last handler for SIGSEGV that was set through libc */
	_Atomic(void *) segv_handler;
	struct sys_sigaction real_tick;	/* our action for T, as installed */
	/*
	 * Signals whose sa_mask, as the program set it, holds T (masked) or
	 * SIGNAL_MASK_SHADOW (shadowed).
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

/* They belong to the process; a fork child has a copy. */
extern struct virtual_signals virtual_signals;

#endif
