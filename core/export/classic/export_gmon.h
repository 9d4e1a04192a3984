/*
 * Context: O.  Writes gmon.out, as gprof(1) reads it.  export_write() calls it
 * for each object with --write=gmon.
 */
#ifndef EXPORT_GMON_H
#define EXPORT_GMON_H

#include "derive/object_profile.h"

/*
 * Writes the profile of one object, whose calls from other objects are closed
 * (object_profile_close()).  Returns 0 or -errno with *f set; errors of `out`
 * are found by output_close().
 */
int export_gmon(FILE *out, const struct object_profile *e, struct fault *f);

#endif
