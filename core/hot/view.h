/* Context: S.  The program's own view of the signals that are ours. */
#ifndef VIEW_H
#define VIEW_H

#include "state.h"

/*
 * The tick's signal came, and not from a clock of ours.  e: how our handler was
 * entered; returns to it only where the program's has returned, or has none.
 */
struct frame_entry;
void view_foreign(const struct frame_entry *e, int sig);

/* Queue it as it was sent, to the process or this thread; or to this thread. */
void view_queue_again(int sig, siginfo_t *si, bool to_thread);

/* After a move: what the thread shadowed becomes really blocked. */
void view_settle(const struct slot *s, ucontext_t *uc);

/*
 * The program's action for a signal of memory faults, where ours is in force
 * before it; NULL if not.
 */
struct sys_sigaction *view_of_fault(int sig);

/*
 * Put our action for SIGBUS, or SIGSEGV, in force, the program's behind it.
 * That of SIGSEGV stays where a raw system call has set it: a runtime that asks
 * the kernel would find ours.
 */
void view_guard_bus(void);
void view_guard_segv(void);
void view_install_fault(int sig, const struct sys_sigaction *program);

/* Our action before the program's; it ends calls where that would. */
void view_install_front(void);

/* A handler that a raw system call put in our place goes behind ours. */
void view_recheck(void);

#endif
