/*
 * Context: T.  Prepares the process for exec(2), and undoes that if exec fails.
 * The hooks of exec(2) and of syscall(2) call it in any process: a vfork child,
 * one that is frozen, and one that is not profiled.  Other threads go on.
 */
#ifndef EXEC_IMAGE_H
#define EXEC_IMAGE_H

#include "signal/exec_signals.h"

/*
 * State that exec_image_prepare() has changed, for exec_image_undo().  In a
 * vfork child only the signals and LOSS_SHARED_MEMORY are changed; behind a
 * seccomp filter only the profile is, by stores to memory.
 */
struct exec_image {
	bool sealed;		/* the profile was sealed, clocks stopped */
	/* the profile of a frozen process was sealed, nothing else changed */
	bool frozen;
	bool process_tier;	/* the timer of the whole process was running */
	bool histogram;		/* the histogram of monitor() was stopped */
	/* the new image can create no file: precreate.h */
	bool shut;
	/* the losses were moved to an ancestor's profile, `shut` with them */
	bool losses_moved;
	bool sharer;		/* the caller shares its parent's memory */
	sys_sigset mask;	/* mask of the thread before */
	struct exec_signals exposed;
};

/*
 * Stops the clocks of the calling thread and of the process, seals the profile,
 * writes the classic files, and puts the program's own signal mask and actions
 * in force.  Fills *i.
 */
void exec_image_prepare(struct exec_image *i);

/* Undoes exec_image_prepare(), after exec(2) has failed.  May change errno. */
void exec_image_undo(const struct exec_image *i);

#endif
