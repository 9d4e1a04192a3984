/*
 * Context: O.  Handles time below zero, from files of other profilers that were
 * made by subtraction.  For model_finish(), call trees and prof.
 */
#ifndef NEGATIVE_TIME_H
#define NEGATIVE_TIME_H

#include "base/model.h"

/*
 * Sets time and samples to 0 in each row whose sum over all files is below
 * zero, unless m->signs says that the view shows such rows.  Most views, and
 * the files that prof writes for other tools, show parts of a whole, which
 * cannot be below zero.  Rows must be sorted, as m->below lists these rows by
 * index.  A number of samples below zero becomes 0.  Returns 0 or -ENOMEM.
 */
int negative_time_drop(struct model *m);

/*
 * Removes time below zero from a model that has kept signs, once functions are
 * known; does nothing unless model_has_signs().  Nets the rows of each path of
 * functions first, and removes the paths that are still below zero; after that
 * no row has a sign, and m->signs is false.  Lists what was removed in
 * m->below.  Returns 0 or -ENOMEM.
 */
int negative_time_net(struct model *m);

/*
 * Notes in m->below that the time of a path that ends in that function was
 * removed.  `ns` is the time below zero, as an int64_t.  Returns 0 or -ENOMEM.
 */
int negative_time_note(struct model *m, uint32_t function, uint64_t ns);

#endif
