/* Context: O.  What the moments of a process's heap say in short. */
#ifndef GROWTHSUM_H
#define GROWTHSUM_H

#include "model.h"

#include <stdio.h>

struct growthsum {
	const struct model_process *process;
	const struct model_point *points;	/* ascending by time ... */
	size_t count;				/* ... 1 at least */
	const struct model_point *most;		/* live */
	const struct model_point *last;
	const struct model_point *middle;	/* at half of the time */
	uint64_t resident_most;		/* 0: nobody looked */
	uint64_t resident_last;		/* as it was seen last */
};

/*
 * Of all processes, that with the largest peak first; free(3).  NULL: no
 * memory.
 */
struct growthsum *growthsum_all(const struct model *m, size_t *count);

/* "prog [22613]", with the number of its image where it is not the first. */
void growthsum_who(FILE *out, const struct growthsum *s);

/* Lines: the most, the last, and what is resident where somebody looked. */
void growthsum_say(FILE *out, const struct growthsum *s);

/*
 * The same of all processes, the largest first, and not of too many.  0 or
 * -ENOMEM.
 */
int growthsum_say_all(FILE *out, const struct model *m);

#endif
