/* Context: O.  A file of a classic profiler into the model. */
#ifndef ADOPT_H
#define ADOPT_H

#include "model.h"

/* Where no program is named. */
#define ADOPT_PROGRAM	"a.out"

struct adopt_file {
	const char *path;
	const char *program;	/* NULL = none was named */
};

/*
 * 0; LOAD_PARTLY: it is added but for some records, *f says which; LOAD_OTHER:
 * it is no such file; or -errno with *f set, and nothing of it
 * is added unless memory ran out.
 */
int adopt_add(struct model *m, const struct adopt_file *file, struct fault *f);

#endif
