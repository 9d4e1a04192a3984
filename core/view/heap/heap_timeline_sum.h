/*
 * Context: O.  Summarizes the heap timeline: the points of each process, which
 * the model has grouped by process.  For the summary of the heap
 * (heap_summary.c) and the view of the timeline (heap_timeline_view.c).
 */
#ifndef HEAP_TIMELINE_SUM_H
#define HEAP_TIMELINE_SUM_H

#include "base/model.h"

#include <stdio.h>

/* Summary of one process.  Pointers lead into the model. */
struct heap_timeline_sum {
	const struct model_process *process;
	const struct model_point *points;	/* ascending by time */
	size_t count;	/* number of points, at least 1 */
	const struct model_point *most;	/* point with the most live bytes */
	const struct model_point *last;
	/* last point in the first half of the time */
	const struct model_point *middle;
	/* most resident memory, bytes; 0 = never measured */
	uint64_t resident_most;
	uint64_t resident_last;	/* resident memory when last measured, bytes */
};

/*
 * Returns the summaries of all processes that have points, the largest peak
 * first, and sets *count to their number.  The array is to be freed with
 * free(3); it points into the model.  Returns NULL if memory is out.
 */
struct heap_timeline_sum *heap_timeline_sum_all(const struct model *m,
    size_t *count);

/*
 * Prints "prog [22613]", with the number of the image if it is not the first.
 */
void heap_timeline_sum_process(FILE *out, const struct heap_timeline_sum *s);

/*
 * Prints lines with the highest point, the last point and, if it was measured,
 * resident memory.
 */
void heap_timeline_sum_print(FILE *out, const struct heap_timeline_sum *s);

/*
 * Prints the summaries of all processes, the largest peak first, but of many
 * processes only the first five.  Returns 0 or -ENOMEM.
 */
int heap_timeline_sum_print_all(FILE *out, const struct model *m);

#endif
