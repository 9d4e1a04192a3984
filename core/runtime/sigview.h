/* Context: T.  The program's view of signals, kept whole. */
#ifndef SIGVIEW_H
#define SIGVIEW_H

#include "state.h"

/* At the start of a process image or a fork child. */
void sigview_install(void);

/* Is the program's action for sig kept by us instead of the kernel? */
bool sigview_owns(int sig);

/* sigaction(2) for such a signal.  0 or -errno. */
int sigview_own_action(int sig, const struct sigaction *act,
    struct sigaction *old);

/* What the program's sa_mask of each signal holds of ours, to be put back. */
struct sigview_noted {
	uint64_t masked, shadowed;
};
struct sigview_noted sigview_note(void);

/* For every other signal: what goes in, and what the program sees. */
void sigview_action_in(int sig, const struct sigaction *act,
    struct sigaction *real);
void sigview_action_done(int sig, const struct sigaction *act);
void sigview_action_out(int sig, struct sigaction *old,
    const struct sigview_noted *before);

/*
 * Notes that libc is about to set this handler, so it is not one that a raw
 * system call sets.
 */
void sigview_handler_noted(int sig, sighandler_t handler);

/*
 * Puts the program's own handler into an action in which the kernel names ours.
 */
void sigview_action_bare(int sig, struct sigaction *old);

/* The process forgot its sigaction for sig (signal(3) has set another). */
void sigview_action_gone(int sig);

/* May ITIMER_PROF be ours? */
bool sigview_may_use_itimer(void);

#endif
