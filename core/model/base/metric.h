/*
 * Context: O.  The metrics that the weight of a row can be: time, or one count
 * of blocks or mappings.  Used by the options that name a metric, the model,
 * views and exporters.
 */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A metric.  In this interface "of the heap" means every metric but
 * METRIC_TIME.
 */
enum metric {
	METRIC_TIME,
	METRIC_PEAK,		/* from here on metrics of the heap */
	METRIC_LIVE,
	METRIC_LIVE_BLOCKS,
	METRIC_TOTAL,
	METRIC_BLOCKS,
	METRIC_FREED,
	METRIC_TEMPORARY,
	METRIC_HIGH,
	METRIC_MAPPED_PEAK,	/* from here on metrics of mappings */
	METRIC_MAPPED,
	METRIC_MAPPED_TOTAL,
	METRIC_MAPPINGS,
	METRICS,
};

struct model_heap;

/*
 * Returns the name by which users select a metric, as "peak".  Returns NULL if
 * no metric has that number.
 */
const char *metric_name(unsigned measure);

/*
 * Returns the metric with that name, which may also be the name that heaptrack
 * or pprof use.  Returns METRICS if there is none.
 */
enum metric metric_find(const char *name);

/*
 * Returns the name of a data column of the metric, as "seconds" or
 * "peak_bytes".  `measure` is less than METRICS, here and below.
 */
const char *metric_column(enum metric measure);

/*
 * Returns the text that follows a number of the metric, as "bytes at the peak".
 */
const char *metric_description(enum metric measure);

/*
 * Returns whether the metric of the heap is in bytes.  Otherwise it counts
 * blocks or mappings.
 */
bool metric_is_bytes(enum metric measure);

/* Returns whether the metric is one of mappings. */
static inline bool
metric_is_mapped(enum metric measure)
{
	return measure >= METRIC_MAPPED_PEAK && measure < METRICS;
}

/* Returns the next metric of the heap, in a circle without METRIC_TIME. */
enum metric metric_next(enum metric measure);

/*
 * metric_value() returns the value of a metric of the heap in *h, in bytes or
 * as a number of blocks or mappings.  metric_samples() returns the number of
 * samples on which the value rests, 0 if the value is 0 or was counted without
 * sampling, as mappings always are.
 */
uint64_t metric_value(enum metric measure, const struct model_heap *h);
uint64_t metric_samples(enum metric measure, const struct model_heap *h);

#endif
