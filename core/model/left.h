/* Context: O.  What could not be read of a file whose rest was added. */
#ifndef LEFT_H
#define LEFT_H

#include "model.h"

/*
 * Note what was left out of a file, for the footer, and say it in *f; the texts
 * of `own` may end with the call.  LOAD_PARTLY, or -ENOMEM with *f set.
 */
int left_add(struct model *m, const struct model_left *own, struct fault *f);

#endif
