/* Context: O.  What the weight of a row is: time, or one count of the heap. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum measure {
	MEASURE_TIME,
	MEASURE_PEAK,		/* from here on of the heap */
	MEASURE_LIVE,
	MEASURE_LIVE_BLOCKS,
	MEASURE_TOTAL,
	MEASURE_BLOCKS,
	MEASURE_FREED,
	MEASURE_TEMPORARY,
	MEASURE_HIGH,
	MEASURE_MAPPED_PEAK,	/* ... and from here on of mappings */
	MEASURE_MAPPED,
	MEASURE_MAPPED_TOTAL,
	MEASURE_MAPPINGS,
	MEASURES,
};

struct model_heap;

/* "peak": what a user calls it.  NULL when there is no such number. */
const char *measure_name(unsigned measure);

/* That of a name, also of one that other profilers have; MEASURES: of none. */
enum measure measure_find(const char *name);

/* "seconds", "peak_bytes": of a column for programs. */
const char *measure_column(enum measure measure);

/* "bytes at the peak": behind a number. */
const char *measure_words(enum measure measure);

/* Else blocks. */
bool measure_is_bytes(enum measure measure);

static inline bool
measure_is_mapped(enum measure measure)
{
	return measure >= MEASURE_MAPPED_PEAK && measure < MEASURES;
}

/* Of the heap: the one behind it, in a circle. */
enum measure measure_next(enum measure measure);

/* Of the heap; and how many samples it was told from, 0 where by none. */
uint64_t measure_of(enum measure measure, const struct model_heap *h);
uint64_t measure_samples(enum measure measure, const struct model_heap *h);

#endif
