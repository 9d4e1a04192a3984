/* Context: O.  What the moments of a process's heap say in short. */
#ifndef HEAP_TIMELINE_SUM_H
#define HEAP_TIMELINE_SUM_H

#include "base/model.h"

#include <stdio.h>

struct heap_timeline_sum {
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
struct heap_timeline_sum *heap_timeline_sum_all(const struct model *m,
    size_t *count);

/* "prog [22613]", with the number of its image where it is not the first. */
void heap_timeline_sum_process(FILE *out, const struct heap_timeline_sum *s);

/* Lines: the most, the last, and what is resident where somebody looked. */
void heap_timeline_sum_print(FILE *out, const struct heap_timeline_sum *s);

/*
 * The same of all processes, the largest first, and not of too many.  0 or
 * -ENOMEM.
 */
int heap_timeline_sum_print_all(FILE *out, const struct model *m);

#endif
