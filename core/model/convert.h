/* Context: O.  A file of another profiler of today into the model. */
#ifndef CONVERT_H
#define CONVERT_H

#include "told.h"

struct convert_file {
	const char *path;
	enum import_format format;	/* IMPORT_NONE = what it is */
	const char *choice;	/* of its events or types; NULL = the first */
};

/*
 * 0; LOAD_PARTLY: it is added but for some records, *f says which; LOAD_OTHER:
 * it is no such file; or -errno with *f set, and nothing of it is added unless
 * memory ran out.
 */
int convert_add(struct told *t, const struct convert_file *file,
    struct fault *f);

#endif
