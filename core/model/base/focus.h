/*
 * Context: O.  Selects stacks by the functions in them: FILTER_FOCUS and
 * FILTER_IGNORE.  For call trees and for paths of samples (core/model/derive).
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

/*
 * Keeps the marks of each row in the model, for all focus_make() to come: call
 * it before functions of rows or frames are replaced.  A second call changes
 * nothing.  Returns 0 or -ENOMEM.
 */
int focus_keep(struct model *m);

/* Frees the marks. */
void focus_free(struct focus *f);

/*
 * Returns whether a function of the row, an element of m->rows, or of its
 * callers, inlined ones included, is in focus and none is ignored.  Without
 * FILTER_FOCUS all functions are in focus.  Sets m->met for the filters that
 * matched.
 */
bool focus_matches(const struct focus *f, struct model *m,
    const struct model_row *r);

#endif
