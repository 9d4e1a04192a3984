/* Context: O.  The model into files of other profilers. */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/model.h"

enum export_format {
	EXPORT_NONE,
	EXPORT_GMON,		/* one file an object */
	EXPORT_MONOUT,		/* the same */
	EXPORT_PROFOUT,		/* one file for all */
	EXPORT_FOLDED,		/* the same, of call stacks */
	EXPORT_PPROF,		/* the same ... */
	EXPORT_SPEEDSCOPE,
	EXPORT_FIREFOX,
	EXPORT_CALLGRIND,
	EXPORT_PERF,
	EXPORT_GPERFTOOLS,
	EXPORT_MASSIF,
	EXPORT_HTML,
	EXPORT_FORMATS,
};

/* What the model is to keep for it. */
unsigned export_keep(enum export_format format);

/* Is it of call stacks? */
bool export_has_stacks(enum export_format format);

/* Can it be of allocations? */
bool export_has_heap(enum export_format format);

/* Can it be of what changed? */
bool export_compares(enum export_format format);

/* NULL when there is no such number. */
const char *export_name(unsigned format);

/*
 * To a file, or where each object has its own to a directory, which is made if
 * its name ends in a slash.  After symbolize_all().  old: to compare with,
 * where the format can; else NULL. 0 or -errno with *f set, whose file lives as
 * long as the model.
 */
int export_write(struct model *m, struct model *old,
    enum export_format format, const char *path, struct fault *f);

#endif
