/* Context: S.  The program's own view of the signals that are ours. */
#ifndef VIEW_H
#define VIEW_H

#include "state.h"

/*
 * Passes on a signal with the tick's number that no clock of ours sent.  e: how
 * our handler was entered.  Returns to our handler only if the program's has
 * returned, or if there is none.
 */
struct frame_entry;
void view_foreign(const struct frame_entry *e, int sig);

/* Queue it as it was sent, to the process or this thread; or to this thread. */
void view_queue_again(int sig, siginfo_t *si, bool to_thread);

/* After a move: what the thread shadowed becomes really blocked. */
void view_settle(const struct slot *s, ucontext_t *uc);

/*
 * Returns the program's action for a signal of memory faults if ours is in
 * force before it, else NULL.
 */
struct sys_sigaction *view_of_fault(int sig);

/*
 * Returns the program's action that ours stands before, if `act`, which is in
 * force for sig, is ours; else NULL.  A vfork child, or one that is not
 * followed, meets our actions where nothing else of ours is at work.
 */
const struct sys_sigaction *view_behind(int sig,
    const struct sys_sigaction *act);

/*
 * Puts our action for SIGBUS, or for SIGSEGV, in force before the program's.
 * view_guard_segv() leaves a handler that a raw system call has set in force:
 * the runtime that did so would find ours when it asks the kernel.
 */
void view_guard_bus(void);
void view_guard_segv(void);
void view_install_fault(int sig, const struct sys_sigaction *program);

/*
 * Puts our action for SIGSEGV in force for walks, once a thread has used cpu_ns
 * of CPU time, and not if it is less than 20 ms: Go's runtime asks the kernel as
 * it begins, and would take our handler for the program's.  Asks the kernel at
 * most once until segv_asked is false again.
 */
void view_guard_walks(uint64_t cpu_ns);

/*
 * Returns those signals of memory faults that our handler is in force for.
 * While they are blocked a fault ends the process.
 */
static inline sys_sigset
view_guarded(void)
{
	return (view.bus_installed ? SYS_SIGBIT(SIGBUS) : 0) |
	    (view.segv_installed ? SYS_SIGBIT(SIGSEGV) : 0);
}

/* Our action before the program's; it ends calls where that would. */
void view_install_front(void);

/* A handler that a raw system call put in our place goes behind ours. */
void view_recheck(void);

#endif
