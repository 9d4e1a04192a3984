/* Context: S.  The program's own view of the signals that are ours. */
#ifndef VIEW_H
#define VIEW_H

#include "state.h"

/*
 * Signals that the calling thread, in the program's eyes, blocks, and that are really
 * open: the tick's signal, or none.
 */
extern __thread uint64_t view_hidden
    __attribute__((tls_model("initial-exec")));

/* The tick's signal came, and not from a clock of ours. */
void view_foreign(int sig, siginfo_t *si, void *context);

/* After a move: what is hidden and no longer the tick's becomes really blocked. */
void view_settle(const struct slot *s, ucontext_t *uc);

/* A fault in our file's mapping is ours, every other SIGBUS the program's. */
void view_bus(int sig, siginfo_t *si, void *context);

/* Put our SIGBUS action in force, the program's behind it. */
void view_guard_bus(void);
void view_install_bus(const struct sys_sigaction *program);

/* Has somebody replaced our handler by a raw system call?  Then it goes behind ours. */
void view_recheck(void);

#endif
