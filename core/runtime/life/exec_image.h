/* Context: T.  Another program image takes over. */
#ifndef EXEC_IMAGE_H
#define EXEC_IMAGE_H

#include "signal/exec_signals.h"

/*
 * Around exec(2): everything of ours that would outlive it is off, sealed or
 * the program's; all is undone when exec comes back.  In a vfork child only the
 * signal state is.
 */
struct exec_image {
	bool sealed;
	bool process_tier;
	bool histogram;		/* monitor()'s was stopped */
	bool shut;		/* the image can create no file: precreate.h */
	bool told;		/* that was counted in the ancestor's file */
	bool sharer;		/* a child that shares our memory: clone_vm.h */
	sys_sigset mask;
	struct exec_signals exposed;
};

void exec_image_prepare(struct exec_image *i);
void exec_image_undo(const struct exec_image *i);

#endif
