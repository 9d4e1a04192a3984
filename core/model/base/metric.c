/*
 * Context: O.  The metrics that the weight of a row can be: their names and
 * where struct model_heap has their values.  For options, views, exporters and
 * model_heap.c; see metric.h.
 */
#include "base/metric.h"

#include "base/model.h"

#include <stddef.h>
#include <string.h>

/* The metrics; METRIC_TIME has no value in struct model_heap. */
static const struct {
	const char *name;
	const char *other[2];	/* the metric's names in heaptrack and pprof */
	const char *column, *words;
	size_t at;		/* offset in struct model_heap */
	bool bytes;
} metric_table[METRICS] = {
	[METRIC_TIME] = { "time", { NULL }, "seconds", "seconds", 0, false },
	[METRIC_PEAK] = { "peak", { NULL }, "peak_bytes",
	    "bytes at the peak", offsetof(struct model_heap, peak_bytes),
	    true },
	[METRIC_LIVE] = { "live", { "leaked", "inuse_space" }, "live_bytes",
	    "bytes live", offsetof(struct model_heap, live_bytes), true },
	[METRIC_LIVE_BLOCKS] = { "live-blocks", { "inuse_objects" },
	    "live_blocks", "blocks live", offsetof(struct model_heap,
	    live_blocks), false },
	[METRIC_TOTAL] = { "total", { "alloc_space" },
	    "total_bytes", "bytes given out", offsetof(struct model_heap,
	    total_bytes), true },
	[METRIC_BLOCKS] = { "blocks", { "allocations", "alloc_objects" },
	    "total_blocks", "blocks given out", offsetof(struct model_heap,
	    total_blocks), false },
	[METRIC_FREED] = { "freed", { NULL }, "freed_bytes", "bytes freed",
	    offsetof(struct model_heap, freed_bytes), true },
	[METRIC_TEMPORARY] = { "temporary", { NULL }, "temporary_blocks",
	    "temporary blocks", offsetof(struct model_heap,
	    temporary_blocks), false },
	[METRIC_HIGH] = { "high", { NULL }, "high_bytes",
	    "bytes at the most of each path", offsetof(struct model_heap,
	    high_bytes), true },
	[METRIC_MAPPED_PEAK] = { "mapped-peak", { NULL },
	    "mapped_peak_bytes", "bytes mapped at the peak",
	    offsetof(struct model_heap, mapped_peak_bytes), true },
	[METRIC_MAPPED] = { "mapped", { NULL }, "mapped_bytes",
	    "bytes mapped", offsetof(struct model_heap, mapped_bytes), true },
	[METRIC_MAPPED_TOTAL] = { "mapped-total", { NULL },
	    "mapped_total_bytes", "bytes that were mapped",
	    offsetof(struct model_heap, mapped_total_bytes), true },
	[METRIC_MAPPINGS] = { "mappings", { NULL }, "mappings",
	    "mappings made", offsetof(struct model_heap, mappings), false },
};

const char *
metric_name(unsigned measure)
{
	return measure < METRICS ? metric_table[measure].name : NULL;
}

static bool
metric_is_called(unsigned measure, const char *name)
{
	const char *const *other = metric_table[measure].other;

	return strcmp(metric_table[measure].name, name) == 0 ||
	    (other[0] != NULL && strcmp(other[0], name) == 0) ||
	    (other[1] != NULL && strcmp(other[1], name) == 0);
}

enum metric
metric_find(const char *name)
{
	unsigned i = 0;

	while (i < METRICS && !metric_is_called(i, name))
		i++;
	return (enum metric)i;
}

const char *
metric_column(enum metric measure)
{
	return metric_table[measure].column;
}

const char *
metric_description(enum metric measure)
{
	return metric_table[measure].words;
}

bool
metric_is_bytes(enum metric measure)
{
	return metric_table[measure].bytes;
}

enum metric
metric_next(enum metric measure)
{
	return measure + 1 == METRICS ? METRIC_PEAK :
	    (enum metric)(measure + 1);
}

uint64_t
metric_value(enum metric measure, const struct model_heap *h)
{
	uint64_t n;

	memcpy(&n, (const char *)h + metric_table[measure].at, sizeof(n));
	return n;
}

/*
 * Samples are of blocks that were given out.  The number of samples of those
 * that are live, or were live at the peak, is their part of all samples.
 */
uint64_t
metric_samples(enum metric measure, const struct model_heap *h)
{
	const uint64_t n = metric_is_mapped(measure) ? 0 :
	    metric_value(measure, h);
	const uint64_t all = metric_is_bytes(measure) ? h->total_bytes :
	    h->total_blocks;
	uint64_t samples;

	if (h->samples == 0 || n == 0)
		return 0;
	/* A damaged file can have more live than given out. */
	if (n >= all)
		return h->samples;
	samples = (uint64_t)((double)h->samples * (double)n / (double)all +
	    0.5);
	return samples != 0 ? samples : 1;
}
