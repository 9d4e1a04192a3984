/* Context: O.  What prof(1) does with each file for itself. */
#ifndef PER_FILE_H
#define PER_FILE_H

#include "input.h"
#include "prof/prof_options.h"

struct per_file {
	const struct prof_options *set;
	const struct input *in;
	void (*fault)(void *arg, const struct fault *f);
	void *arg;
};

/* Both: how many were profiles. */

/* --check and --info. */
size_t per_file_print(const struct per_file *x, FILE *out);

/* --embed. */
size_t per_file_embed(const struct per_file *x);

#endif
