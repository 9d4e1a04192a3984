/*
 * Context: O.  Writes mon.out of Solaris: samples, calls and modules in one
 * file.  export_write() calls it with --write=prof.
 */
#ifndef EXPORT_PROFOUT_H
#define EXPORT_PROFOUT_H

#include "derive/object_profile.h"

/*
 * Writes `count` profiles of objects, the main program first; changes those
 * with callers behind their end, which are extended.  Returns 0 or -errno with
 * *f set; errors of `out` are found by closing it.
 */
int export_profout(FILE *out, const struct model *m,
    struct object_profile *parts, size_t count, struct fault *f);

#endif
