/* Context: O.  Stacks that have a function, or have one not. */
#ifndef FOCUS_H
#define FOCUS_H

#include "base/model.h"

/* By function and by frame, bits of what is in it or outside of it. */
struct focus {
	unsigned char *functions, *frames;
};

/*
 * By FILTER_FOCUS and FILTER_IGNORE, after symbolize_all() of a model that
 * keeps stacks; says in m->met what they met.  0 or -ENOMEM.
 */
int focus_make(struct focus *f, struct model *m);
void focus_free(struct focus *f);

/* Is some function of the row's stack in focus, and none ignored? */
bool focus_matches(const struct focus *f, struct model *m,
    const struct model_row *r);

#endif
