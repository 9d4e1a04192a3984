/*
 * Context: S.  Puts our signal handlers before the program's, and gives the
 * program the signals that are not ours as if our handlers were not there.
 * Used by ticks, by the virtual signal state (core/runtime/signal), and where a
 * fault of ours must be caught.
 */
#ifndef SIGNAL_CHAIN_H
#define SIGNAL_CHAIN_H

#include "base/state.h"

/*
 * Passes on a signal that no clock of ours sent and that came to the tick's
 * handler: it has the tick's number, or the one that the tick has moved away
 * from.  e: how our handler was entered.  If the program blocks the signal, it
 * becomes pending; in a frozen process it is counted as LOSS_FROZEN instead.
 * Returns if the program's handler has returned or if none is called; else the
 * program goes on in its handler, or ends by the signal's default action.
 */
struct frame_signal_entry;
void signal_chain_deliver(const struct frame_signal_entry *e, int sig);

/*
 * Queues the signal si again, as it was sent: to the process or to the calling
 * thread.  to_thread: to the calling thread in any case.
 */
void signal_chain_requeue(int sig, siginfo_t *si, bool to_thread);

/*
 * Brings the signal mask in uc up to date if the thread of s has not heard of
 * the move yet: a signal that the thread shadowed becomes really blocked.
 */
void signal_chain_apply_move(const struct thread_slot *s, ucontext_t *uc);

/*
 * Returns the program's action for a signal of memory faults (SIGBUS or
 * SIGSEGV) if our action is in force in its place, else NULL.
 */
struct sys_sigaction *signal_chain_fault_action(int sig);

/*
 * Returns the program's action for sig if `act`, which is in force for sig, is
 * ours; else NULL.  A vfork child, or a child that is not followed, meets our
 * actions although nothing else of ours works there.
 */
const struct sys_sigaction *signal_chain_program_action(int sig,
    const struct sys_sigaction *act);

/*
 * signal_chain_guard_bus() and signal_chain_guard_segv() put our action for
 * SIGBUS or SIGSEGV in force before the program's.  The latter leaves a handler
 * in force that a raw system call has set: the runtime that did so would find
 * ours when it asks the kernel.  signal_chain_install_fault() does the same for
 * sig if the caller knows the program's action.
 */
void signal_chain_guard_bus(void);
void signal_chain_guard_segv(void);
void signal_chain_install_fault(int sig, const struct sys_sigaction *program);

/*
 * Puts our action for SIGSEGV in force for stack walks, once a thread has used
 * 20 ms of CPU time.  cpu_ns: CPU time of the thread.  It waits because Go's
 * runtime asks the kernel as it begins, and would take our handler for the
 * program's.  Asks the kernel at most once until segv_asked is false again.
 */
void signal_chain_guard_walks(uint64_t cpu_ns);

/*
 * Returns the set of those signals of memory faults that our handler is in
 * force for.  While they are blocked, a fault ends the process.
 */
static inline sys_sigset
signal_chain_guarded(void)
{
	return (virtual_signals.bus_installed ? SYS_SIGBIT(SIGBUS) : 0) |
	    (virtual_signals.segv_installed ? SYS_SIGBIT(SIGSEGV) : 0);
}

/*
 * Puts our action before the program's for the signal that the tick has moved
 * away from.  It interrupts system calls only where the program's action would.
 */
void signal_chain_install_moved(void);

/*
 * Puts our action for the tick's signal in force again if the program has
 * replaced it by a raw system call, and counts LOSS_DISPLACED; the program's
 * handler is then called behind ours.
 */
void signal_chain_recheck(void);

#endif
