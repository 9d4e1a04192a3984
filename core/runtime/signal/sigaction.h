/* Context: T.  The program's view of signals, kept whole. */
#ifndef SIGACTION_H
#define SIGACTION_H

#include "base/state.h"

/* At the start of a process image or a fork child. */
void sigaction_install(void);

/* Is the program's action for sig kept by us instead of the kernel? */
bool sigaction_is_virtual(int sig);

/* sigaction(2) for such a signal.  0 or -errno. */
int sigaction_set_virtual(int sig, const struct sigaction *act,
    struct sigaction *old);

/* What the program's sa_mask of each signal holds of ours, to be put back. */
struct sigaction_masks {
	uint64_t masked, shadowed;
};
struct sigaction_masks sigaction_save_masks(void);

/* For every other signal: what goes in, and what the program sees. */
void sigaction_translate_in(int sig, const struct sigaction *act,
    struct sigaction *real);
void sigaction_note_set(int sig, const struct sigaction *act);
void sigaction_translate_out(int sig, struct sigaction *old,
    const struct sigaction_masks *before);

/*
 * Notes that libc is about to set this handler, so it is not one that a raw
 * system call sets.
 */
void sigaction_note_handler(int sig, sighandler_t handler);

/*
 * Puts the program's own handler into an action in which the kernel names ours.
 */
void sigaction_unwrap(int sig, struct sigaction *old);

/* The process forgot its sigaction for sig (signal(3) has set another). */
void sigaction_forget(int sig);

/* May ITIMER_PROF be ours? */
bool sigaction_itimer_is_free(void);

#endif
