/*
 * Context: O.  Selects stacks by the functions in them: FILTER_FOCUS and
 * FILTER_IGNORE.  calltree.c and sample_paths.c ask it for each row;
 * charge_callers() and view/table/regroup_frames.c, which change functions,
 * keep the marks first.  Tables of functions do not use it.  All after
 * symbolize_all().
 */
#ifndef FOCUS_H
#define FOCUS_H

#include "base/model.h"

/*
 * Marks of each function, and of each frame with its callers: in focus,
 * ignored.  Indexed as model.functions and stacks.frames.
 */
struct focus {
	unsigned char *functions, *frames;
};

/*
 * Marks the functions and frames of a model that keeps stacks, after
 * symbolize_all() and filter_names_loosen(); *f need not be set.  Returns 0 or
 * -ENOMEM; call focus_free() in either case.
 */
int focus_make(struct focus *f, struct model *m);

/*
 * Keeps the marks of each row in the model, by its index, for all
 * focus_matches() to come: call it before functions of rows or frames are
 * replaced, and do not move rows afterwards.  A second call changes nothing.
 * Returns 0 or -ENOMEM.
 */
int focus_keep(struct model *m);

/* Frees the marks. */
void focus_free(struct focus *f);

/*
 * Returns whether a function of the row or of its callers, inlined ones
 * included, is in focus and none is ignored.  r must be an element of m->rows.
 * Without FILTER_FOCUS all functions are in focus.  Sets m->met for the filters
 * that matched.
 */
bool focus_matches(const struct focus *f, struct model *m,
    const struct model_row *r);

#endif
