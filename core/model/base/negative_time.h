/* Context: O.  Time below zero, of files that were made by subtraction. */
#ifndef NEGATIVE_TIME_H
#define NEGATIVE_TIME_H

#include "base/model.h"

/*
 * Removes the rows whose sum over all files is below zero, unless m->signs says
 * that the view shows them.  Most views, and the files that prof writes for
 * other tools, show parts of a whole, which cannot be below zero.  The caller
 * has put the rows in their order.  m->below lists what was removed.  Returns 0
 * or -ENOMEM.
 */
int negative_time_drop(struct model *m);

/*
 * Does the same for a model that kept signs, once functions are known: nets the
 * rows of each path of functions first, after which rows have no sign.  Returns
 * 0 or -ENOMEM.
 */
int negative_time_net(struct model *m);

/* Notes that the time of a path that ends in that function was removed. */
int negative_time_note(struct model *m, uint32_t function, uint64_t ns);

#endif
