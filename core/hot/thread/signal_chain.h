/* Context: S.  The program's own view of the signals that are ours. */
#ifndef SIGNAL_CHAIN_H
#define SIGNAL_CHAIN_H

#include "base/state.h"

/*
 * Passes on a signal with the tick's number that no clock of ours sent.  e: how
 * our handler was entered.  Returns to our handler only if the program's has
 * returned, or if there is none.
 */
struct frame_signal_entry;
void signal_chain_deliver(const struct frame_signal_entry *e, int sig);

/* Queue it as it was sent, to the process or this thread; or to this thread. */
void signal_chain_requeue(int sig, siginfo_t *si, bool to_thread);

/* After a move: what the thread shadowed becomes really blocked. */
void signal_chain_apply_move(const struct thread_slot *s, ucontext_t *uc);

/*
 * Returns the program's action for a signal of memory faults if ours is in
 * force before it, else NULL.
 */
struct sys_sigaction *signal_chain_fault_action(int sig);

/*
 * Returns the program's action that ours stands before, if `act`, which is in
 * force for sig, is ours; else NULL.  A vfork child, or one that is not
 * followed, meets our actions where nothing else of ours is at work.
 */
const struct sys_sigaction *signal_chain_program_action(int sig,
    const struct sys_sigaction *act);

/*
 * Puts our action for SIGBUS, or for SIGSEGV, in force before the program's.
 * signal_chain_guard_segv() leaves a handler that a raw system call has set in
 * force: the runtime that did so would find ours when it asks the kernel.
 */
void signal_chain_guard_bus(void);
void signal_chain_guard_segv(void);
void signal_chain_install_fault(int sig, const struct sys_sigaction *program);

/*
 * Puts our action for SIGSEGV in force for walks, once a thread has used cpu_ns
 * of CPU time, and not if it is less than 20 ms: Go's runtime asks the kernel
 * as it begins, and would take our handler for the program's.  Asks the kernel
 * at most once until segv_asked is false again.
 */
void signal_chain_guard_walks(uint64_t cpu_ns);

/*
 * Returns those signals of memory faults that our handler is in force for.
 * While they are blocked a fault ends the process.
 */
static inline sys_sigset
signal_chain_guarded(void)
{
	return (virtual_signals.bus_installed ? SYS_SIGBIT(SIGBUS) : 0) |
	    (virtual_signals.segv_installed ? SYS_SIGBIT(SIGSEGV) : 0);
}

/* Our action before the program's; it ends calls where that would. */
void signal_chain_install_moved(void);

/* A handler that a raw system call put in our place goes behind ours. */
void signal_chain_recheck(void);

#endif
