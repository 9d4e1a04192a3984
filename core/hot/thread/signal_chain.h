/*
 * Context: S.  Puts our handlers in force in place of the program's, whose
 * actions virtual_signals keeps, and gives the program the signals that are not
 * ours as if our handlers were not there.  Called by ticks, counted
 * allocations, the helper of clock=wall, the maker of the file, the start of a
 * thread, the hook of syscall(2), and core/runtime/signal, in any thread.  No
 * function takes a lock.
 *
 * A vfork child has actions of its own, but shares virtual_signals.  There our
 * handlers work, and exec_signals.c puts our actions back; no function that
 * changes virtual_signals may be called otherwise.  Unless its comment says so,
 * a function that makes system calls is not called in a frozen process.
 */
#ifndef SIGNAL_CHAIN_H
#define SIGNAL_CHAIN_H

#include "base/state.h"

struct frame_signal_entry;

/*
 * Passes on a signal that no clock of ours sent and that came to the tick's
 * handler: it has the tick's number, or the one that the tick has moved away
 * from.  e: how the kernel has entered our handler.  If the program blocks the
 * signal, makes it pending; in a frozen process counts LOSS_FROZEN instead.  If
 * the program's action is the default one, puts that in force, queues the
 * signal again and returns: the process dies of it when our handler returns.
 * Else enters the program's handler, from which it may not come back, or
 * ignores the signal.  Only tick_handler() calls it, also in a vfork child.
 */
void signal_chain_deliver(const struct frame_signal_entry *e, int sig);

/*
 * Queues the signal si again: for the calling thread if to_thread, or if it was
 * sent to a thread (SI_TKILL), else for the process.  Ignores errors.  Makes
 * system calls.
 */
void signal_chain_requeue(int sig, siginfo_t *si, bool to_thread);

/*
 * Brings the signal mask in uc, with which the interrupted code goes on, up to
 * date if the thread of s has not heard of the move yet: a signal that the
 * thread shadowed becomes really blocked.  The tick's handler calls it in that
 * thread, also in a frozen process.
 */
void signal_chain_apply_move(const struct thread_slot *s, ucontext_t *uc);

/*
 * Returns the program's action for a signal of faults, in virtual_signals, if
 * our action is in force in its place; else, and for any other signal, NULL.
 * The caller may change the action.  Makes no system call.
 */
struct sys_sigaction *signal_chain_fault_action(int sig);

/*
 * Returns the program's action for sig, in virtual_signals, if `act`, which is
 * in force for sig, is ours; else NULL.  Makes no system call.  A vfork child,
 * or a child that is not followed, meets our actions although nothing else of
 * ours works there.
 */
const struct sys_sigaction *signal_chain_program_action(int sig,
    const struct sys_sigaction *act);

/*
 * signal_chain_guard_bus() and signal_chain_guard_segv() put our action for
 * SIGBUS or SIGSEGV in force in place of the program's, unless it is in force,
 * and keep the program's in virtual_signals.  The latter leaves a handler in
 * force that a raw system call has set: the runtime that did so would find ours
 * when it asks the kernel.  The thread that makes the file calls the former.
 *
 * signal_chain_install_fault() puts our action in force once more, with the
 * flags and the mask that the program's new action needs.  sig is one of
 * virtual_fault_signals; `program` may point into virtual_signals.
 */
void signal_chain_guard_bus(void);
void signal_chain_guard_segv(void);
void signal_chain_install_fault(int sig, const struct sys_sigaction *program);

/*
 * Puts our action for SIGSEGV in force for stack walks, once a thread has used
 * 20 ms of CPU time: Go's runtime asks the kernel as it begins, and would take
 * our handler for the program's.  cpu_ns: CPU time of the thread, ns;
 * UINT64_MAX: do not wait.  Asks the kernel at most once until mon->segv_asked
 * is false again: a tick clears that at its thread's first tick, and once in
 * its CPU second.  Ticks, slow allocations and the helper of clock=wall call
 * it.
 */
void signal_chain_guard_walks(uint64_t cpu_ns);

/*
 * Returns the signals of faults that our handler is in force for.  While such a
 * signal is blocked, a fault ends the process.
 */
static inline sys_sigset
signal_chain_guarded(void)
{
	sys_sigset guarded = 0;

	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (virtual_signals.faults[i].installed)
			guarded |= SYS_SIGBIT(virtual_fault_signals[i]);
	return guarded;
}

/*
 * Puts our action in force for virtual_signals.fronted, the signal that the
 * tick has moved away from, with those flags of the program's action `front`
 * that its handler needs: so our handler interrupts system calls only where the
 * program's would.  The caller has set both; `fronted` is not 0.
 */
void signal_chain_install_fronted(void);

/*
 * Puts our action for the tick's signal in force again if the program has
 * replaced it by a raw system call, and counts LOSS_DISPLACED; the program's
 * handler is then called behind ours.  Does nothing before our action was
 * installed, and while a thread is in an exec.  A thread's first tick calls it,
 * a tick in each CPU second, the maker of a thread, and the hook of syscall(2).
 */
void signal_chain_recheck(void);

#endif
