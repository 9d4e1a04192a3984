/* Context: O.  Notes what could not be read of a file whose rest was added. */
#ifndef LEFT_H
#define LEFT_H

#include "model.h"

/*
 * Notes what was left out of a file, for the footer, and describes it in *f.
 * The texts of `own` need to be valid during the call only.  Returns
 * LOAD_PARTLY, or -ENOMEM with *f set.
 */
int left_add(struct model *m, const struct model_left *own, struct fault *f);

#endif
