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

/* Put our SIGBUS action in force, the program's behind it. */
void view_guard_bus(void);
void view_install_bus(const struct sys_sigaction *program);

/* Our action before the program's; it ends calls where that would. */
void view_install_front(void);

/* A handler that a raw system call put in our place goes behind ours. */
void view_recheck(void);

#endif
