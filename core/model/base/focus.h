/*
 * Context: O.  Selects stacks by the functions in them: FILTER_FOCUS and
 * FILTER_IGNORE.
 */
#ifndef FOCUS_H
#define FOCUS_H

#include "base/model.h"

/*
 * Marks of each function and of each frame with its callers: in focus, ignored.
 */
struct focus {
	unsigned char *functions, *frames;
};

/*
 * Marks the functions and frames of a model that keeps stacks, after
 * symbolize_all().  Returns 0 or -ENOMEM; call focus_free() in either case.
 */
int focus_make(struct focus *f, struct model *m);

/* Frees the marks. */
void focus_free(struct focus *f);

/*
 * Returns whether a function on the row's stack is in focus and none is
 * ignored.  Sets m->met for both filters.
 */
bool focus_matches(const struct focus *f, struct model *m,
    const struct model_row *r);

#endif
