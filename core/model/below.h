/* Context: O.  Time below zero, of files that were made by subtraction. */
#ifndef BELOW_H
#define BELOW_H

#include "model.h"

/*
 * Take the rows away whose sum over all files is below zero, once rows have
 * their order, unless m->signs says that the view shows them: most views, and
 * files for others, show parts of a whole, which cannot be below zero.  What
 * was taken is in m->below.  0 or -ENOMEM.
 */
int below_drop(struct model *m);

/*
 * Do the same once functions are known, of a model that kept signs until then:
 * rows of one path of functions are netted first, and lose their signs.
 */
int below_settle(struct model *m);

/* Note that the time of a path that ends in that function was taken away. */
int below_note(struct model *m, uint32_t function, uint64_t ns);

#endif
