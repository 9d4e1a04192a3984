/* Context: O.  What prof(1) does with each file for itself. */
#ifndef EACH_H
#define EACH_H

#include "input.h"
#include "settings.h"

struct each {
	const struct settings *set;
	const struct input *in;
	void (*fault)(void *arg, const struct fault *f);
	void *arg;
};

/* Both: how many were profiles. */

/* --check and --info. */
size_t each_show(const struct each *x, FILE *out);

/* --embed. */
size_t each_embed(const struct each *x);

#endif
