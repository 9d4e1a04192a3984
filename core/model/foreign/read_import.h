/*
 * Context: O.  Reads a file of another current profiler (perf, pprof, callgrind
 * and others) into the model, for read_inputs(), after the file was found to be
 * no profile of libmon and no tprof.out.
 */
#ifndef READ_IMPORT_H
#define READ_IMPORT_H

#include "foreign/import_places.h"

/* A file to read. */
struct read_import_file {
	const char *path;
	/* IMPORT_NONE = recognize it by its contents */
	enum import_format format;
	/*
	 * name of an event or type in the file; NULL = the first or default one
	 */
	const char *choice;
};

/*
 * Adds a file to the model, before model_finish().  t: the state for all files
 * of the model, with the program of this file.  Returns 0; LOAD_PARTLY if some
 * records were left out, *f says which; LOAD_OTHER if it is no such file; or
 * -errno with *f set, and then no sample or call of the file is added unless
 * memory ran out, but processes may be.  f->file is not set.
 */
int read_import_add(struct import_places *t,
    const struct read_import_file *file, struct fault *f);

#endif
