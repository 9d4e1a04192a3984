/* Context: T.  What a new process image is to inherit of the signals. */
#ifndef EXPOSE_H
#define EXPOSE_H

#include "state.h"

/*
 * Around everything that makes another process image: the program's mask and
 * actions are really in force between the two.
 */
struct exposed {
	bool active;
	uint64_t mask;		/* before */
	bool ignored;
};
void expose_begin(struct exposed *e);
void expose_end(const struct exposed *e);

/* In a fork child: whoever was between the two is in the parent. */
void expose_in_child(void);

/* In a fork child that is not followed: all is the program's again. */
void expose_for_good(void);

#endif
