/*
 * Context: O.  Handles time below zero, from files that were made by
 * subtraction.
 */
#ifndef NEGATIVE_TIME_H
#define NEGATIVE_TIME_H

#include "base/model.h"

/*
 * Removes the rows whose sum over all files is below zero, unless m->signs says
 * that the view shows them.  Most views, and the files that prof writes for
 * other tools, show parts of a whole, which cannot be below zero.  Rows must be
 * sorted.  Lists what was removed in m->below.  Returns 0 or -ENOMEM.
 */
int negative_time_drop(struct model *m);

/*
 * Removes time below zero from a model that has kept signs, once functions are
 * known.  Nets the rows of each path of functions first, and removes the paths
 * that are still below zero; after that no row has a sign.  Lists what was
 * removed in m->below.  Returns 0 or -ENOMEM.
 */
int negative_time_net(struct model *m);

/*
 * Notes in m->below that the time of a path that ends in that function was
 * removed.  `ns` is the time below zero, as an int64_t.  Returns 0 or -ENOMEM.
 */
int negative_time_note(struct model *m, uint32_t function, uint64_t ns);

#endif
