/*
 * Context: O.  The source files of a model, each with a number and the name
 * that is shown.  symbolize_all() fills it; inlines.c adds paths meanwhile.
 */
#ifndef SOURCE_FILES_H
#define SOURCE_FILES_H

#include "base/string_pool.h"

/* Source files by number. */
struct source_files {
	struct string_pool paths;	/* as the compiler recorded them */
	/*
	 * last part of each path, or the path where another file has the same
	 * last part
	 */
	const char **shown;
};

/*
 * Chooses the shown names, after the last path was added.  Must be called once.
 * Returns 0 or -ENOMEM.
 */
int source_files_finish(struct source_files *s);

/*
 * Frees the paths' index and the shown names; the texts belong to the caller.
 */
void source_files_free(struct source_files *s);

#endif
