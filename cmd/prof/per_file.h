/*
 * Context: O.  Runs the actions of prof(1) that treat each file by itself:
 * --check, --info and --embed.  For prof.c, which has found the files.
 */
#ifndef PER_FILE_H
#define PER_FILE_H

#include "input.h"
#include "prof/prof_options.h"

/* The files and what to do with them.  All pointers are borrowed. */
struct per_file {
	const struct prof_options *set;
	const struct input *in;
	/* called with `arg` for each fault */
	void (*fault)(void *arg, const struct fault *f);
	void *arg;
};

/*
 * The functions below return the number of files that they have treated without
 * a fault.  They report each fault, except for a file that is no profile and
 * that was found in a directory.
 */

/* Prints the result of --check or --info for each file on `out`. */
size_t per_file_print(const struct per_file *x, FILE *out);

/*
 * Embeds names into each file (--embed), and prints how many on standard
 * output; on standard error if --output is given.
 */
size_t per_file_embed(const struct per_file *x);

#endif
