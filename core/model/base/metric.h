/* Context: O.  What the weight of a row is: time, or one count of the heap. */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stdint.h>

enum metric {
	METRIC_TIME,
	METRIC_PEAK,		/* from here on of the heap */
	METRIC_LIVE,
	METRIC_LIVE_BLOCKS,
	METRIC_TOTAL,
	METRIC_BLOCKS,
	METRIC_FREED,
	METRIC_TEMPORARY,
	METRIC_HIGH,
	METRIC_MAPPED_PEAK,	/* ... and from here on of mappings */
	METRIC_MAPPED,
	METRIC_MAPPED_TOTAL,
	METRIC_MAPPINGS,
	METRICS,
};

struct model_heap;

/* "peak": what a user calls it.  NULL when there is no such number. */
const char *metric_name(unsigned measure);

/* That of a name, also of one that other profilers have; MEASURES: of none. */
enum metric metric_find(const char *name);

/* "seconds", "peak_bytes": of a column for programs. */
const char *metric_column(enum metric measure);

/* "bytes at the peak": behind a number. */
const char *metric_description(enum metric measure);

/* Else blocks. */
bool metric_is_bytes(enum metric measure);

static inline bool
metric_is_mapped(enum metric measure)
{
	return measure >= METRIC_MAPPED_PEAK && measure < METRICS;
}

/* Of the heap: the one behind it, in a circle. */
enum metric metric_next(enum metric measure);

/* Of the heap; and how many samples it was told from, 0 where by none. */
uint64_t metric_value(enum metric measure, const struct model_heap *h);
uint64_t metric_samples(enum metric measure, const struct model_heap *h);

#endif
