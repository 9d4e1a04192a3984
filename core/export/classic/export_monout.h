/*
 * Context: O.  Writes mon.out of SVR4, as the classic prof(1) reads it.
 * export_write() calls it for each object with --write=monout.
 */
#ifndef EXPORT_MONOUT_H
#define EXPORT_MONOUT_H

#include "derive/object_profile.h"

/*
 * Writes the profile of one object.  The counts of calls are those of the
 * functions in `m`.  Returns 0 or -errno with *f set; errors of `out` are found
 * by closing it.
 */
int export_monout(FILE *out, const struct model *m,
    const struct object_profile *e, struct fault *f);

#endif
