/*
 * Context: O.  Notes what could not be read of a file whose rest was added, for
 * the readers of other profilers' files and of tprof.out.
 */
#ifndef SKIPPED_RECORDS_H
#define SKIPPED_RECORDS_H

#include "base/model.h"

/*
 * Notes in m->left what was left out of a file, for the footer, and describes
 * it in *f, whose text lives as long as the model.  own->unit must outlive the
 * model; the other texts are copied.  Returns LOAD_PARTLY, or -ENOMEM with *f
 * set.
 */
int skipped_records_add(struct model *m, const struct model_skipped *own,
    struct fault *f);

#endif
