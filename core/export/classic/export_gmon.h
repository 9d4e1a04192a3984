/* Context: O.  Writes gmon.out, as gprof(1) reads it, for export_write(). */
#ifndef EXPORT_GMON_H
#define EXPORT_GMON_H

#include "derive/object_profile.h"

/*
 * Writes the profile of one object.  Returns 0 or -errno with *f set; errors of
 * `out` are found by output_close().
 */
int export_gmon(FILE *out, const struct object_profile *e, struct fault *f);

#endif
