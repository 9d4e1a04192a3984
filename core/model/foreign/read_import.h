/* Context: O.  A file of another profiler of today into the model. */
#ifndef READ_IMPORT_H
#define READ_IMPORT_H

#include "foreign/import_places.h"

struct read_import_file {
	const char *path;
	enum import_format format;	/* IMPORT_NONE = what it is */
	const char *choice;	/* of its events or types; NULL = the first */
};

/*
 * Adds a file to the model.  Returns 0; LOAD_PARTLY if some records were left
 * out, *f says which; LOAD_OTHER if it is no such file; or -errno with *f set,
 * and then nothing of the file is added unless memory ran out.
 */
int read_import_add(struct import_places *t,
    const struct read_import_file *file, struct fault *f);

#endif
