/*
 * Context: O.  Reads one decoded profile of libmon.so into the model, for
 * read_inputs() and prof --embed.
 */
#ifndef READ_PROFILE_H
#define READ_PROFILE_H

#include "base/model.h"

/*
 * Adds one decoded profile of libmon.so to the model, before model_finish().
 * The model keeps no pointer to *d.  For counts the baseline must have been
 * subtracted, as load_open() does; prof --embed needs names only.  A profile of
 * a process that was not selected, or a copy of one that was added, is only
 * counted.  Returns 0, or -EINVAL or -ENOMEM with *f set.  A damaged file is
 * refused before anything of its counts is added; after -ENOMEM the model is
 * unusable.
 */
int read_profile_add(struct model *m, struct decode *d, struct fault *f);

#endif
