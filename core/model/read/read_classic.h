/*
 * Context: O.  Reads a file of a classic profiler (gmon.out, mon.out and
 * others) into the model, for read_inputs(), which tries this format last.
 */
#ifndef READ_CLASSIC_H
#define READ_CLASSIC_H

#include "base/model.h"

/* Program that is assumed where none is named, by the listing, too. */
#define READ_CLASSIC_PROGRAM	"a.out"

/* A file to read. */
struct read_classic_file {
	const char *path;
	/* program that wrote the file; NULL = none was named */
	const char *program;
};

/*
 * Adds a file to the model, before model_finish(); a file of a program that was
 * not selected is only counted.  Returns 0; LOAD_PARTLY if some records were
 * left out, *f says which; LOAD_OTHER if it is no such file; or -errno with *f
 * set (-EINVAL for one that is damaged or of another program), and then nothing
 * of the file is added unless memory ran out.  f->file is not set.
 */
int read_classic_add(struct model *m, const struct read_classic_file *file,
    struct fault *f);

#endif
