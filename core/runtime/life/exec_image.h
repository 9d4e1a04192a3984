/*
 * Context: T.  Prepares the process for exec(2), and undoes that if exec fails.
 */
#ifndef EXEC_IMAGE_H
#define EXEC_IMAGE_H

#include "signal/exec_signals.h"

/*
 * State that exec_image_prepare() has changed, for exec_image_undo().  In a
 * vfork child only the signals are changed.
 */
struct exec_image {
	bool sealed;		/* the profile was sealed */
	bool process_tier;	/* the timer of the whole process was running */
	bool histogram;		/* the histogram of monitor() was stopped */
	/* the new image can create no file: precreate.h */
	bool shut;
	/* `shut` was counted in the profile of an ancestor */
	bool told;
	bool sharer;		/* the caller shares its parent's memory */
	sys_sigset mask;	/* mask of the thread before */
	struct exec_signals exposed;
};

/*
 * Stops or seals all that would outlive exec(2), and puts the program's own
 * signal mask and actions in force.
 */
void exec_image_prepare(struct exec_image *i);

/* Undoes exec_image_prepare(), after exec(2) has failed. */
void exec_image_undo(const struct exec_image *i);

#endif
