/*
 * Context: O.  Arranges samples on a time axis, thread by thread, for exporters
 * (Firefox, perf script, Speedscope).
 */
#ifndef SAMPLE_SPANS_H
#define SAMPLE_SPANS_H

#include "derive/sample_paths.h"

/*
 * A time that a thread spent at a row.  Where the file has recorded times, that
 * is one sample at its time; the time of a row that has no recorded times is
 * one span, placed as if the thread had run its rows one after the other.
 */
struct sample_span {
	uint32_t row;
	uint64_t ns;
	/*
	 * start, ns since `began`; if no times were recorded, ns since the
	 * first span of the thread
	 */
	uint64_t at;
};

/* All spans, grouped by thread. */
struct sample_spans {
	/* only rows that sample_paths_get() takes */
	struct sample_span *all;
	size_t count, room;
	/* index in `all` of the first span of each thread, and the end */
	size_t *first;
	size_t threads;
	/*
	 * start of the first recorded sample, selected or not, ns since 1970; 0
	 * = no times were recorded
	 */
	uint64_t began;
};

/*
 * Makes the spans of all selected samples; changes the current path of *s,
 * which the exporter has opened.  Returns 0 or -ENOMEM; call
 * sample_spans_free() in either case.
 */
int sample_spans_make(struct sample_spans *p, struct sample_paths *s);

/* Frees the spans. */
void sample_spans_free(struct sample_spans *p);

#endif
