/* Context: T.  Another program image takes over. */
#ifndef IMAGE_H
#define IMAGE_H

#include "expose.h"

/*
 * Around exec(2): everything of ours that would outlive it is off, sealed or
 * the program's; all is undone when exec comes back.  In a vfork child only the
 * signal state is.
 */
struct image {
	bool sealed;
	bool process_tier;
	bool histogram;		/* monitor()'s was stopped */
	bool shut;		/* the image can create no file: ahead.h */
	bool told;		/* that was counted in the ancestor's file */
	bool sharer;		/* a child that shares our memory: sharer.h */
	sys_sigset mask;
	struct exposed exposed;
};

void image_leave(struct image *i);
void image_return(const struct image *i);

#endif
