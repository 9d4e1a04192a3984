/*
 * Context: O.  Writes gmon.out, as gprof(1) reads it, for export_write(); see
 * export_gmon.h.
 */
#include "classic/export_gmon.h"

#include "classic/gmon_put.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Most records of a histogram.  gprof believes the rate of the first record
 * that it reads and adds the histogram counts of several files without
 * comparing their rates.  So the rate is the same wherever possible: as fine as
 * the ticks of libmon.so, unless a bin would then need more records than these.
 * A bin holds 52 s at the first rate, six days at the last.
 */
#define GMON_RECORDS	8u

static const uint32_t gmon_rates[] = { 10000, 1000, 100, 10, 1 };

/*
 * Most records beyond one for each arc, which is 22 MB.  At a call a nanosecond
 * it would take a processor 52 days to fill them.
 */
#define GMON_REPEATS	(1u << 20)

#define GMON_RATES	(sizeof(gmon_rates) / sizeof(gmon_rates[0]))

/* Returns the histogram count of the fullest bin. */
static uint64_t
gmon_most(const struct object_profile_bin *bins, size_t count)
{
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++)
		if (bins[i].ticks > most)
			most = bins[i].ticks;
	return most;
}

/*
 * Writes the histogram as repeated records of one range: gprof adds up the bins
 * of a range, and refuses ranges that overlap.
 */
static int
gmon_time(FILE *out, const struct object_profile *e, struct fault *f)
{
	const uint64_t all = (e->high - e->low) / OBJECT_PROFILE_BIN;
	unsigned char head[GMON_HIST_BYTES];
	struct object_profile_bin *bins = NULL;
	size_t count, rate = 0;
	uint64_t most, done = 0;

	for (;; rate++) {
		if (rate == GMON_RATES)
			return fault_set(f, "cannot be written: a place has "
			    "more than six days", FAULT_NO_OFFSET, 0);
		if (object_profile_bins(e, gmon_rates[rate], &bins,
		    &count) != 0)
			return fault_set_no_memory(f);
		most = gmon_most(bins, count);
		if (most <= (uint64_t)GMON_RECORDS * GMON_BIN_MOST)
			break;
		free(bins);
	}
	gmon_put_hist(head, e->low, e->high, (uint32_t)all, gmon_rates[rate]);
	do {
		fwrite(head, 1, sizeof(head), out);
		object_profile_put_bins(out, bins, count, all, done);
		done += GMON_BIN_MOST;
	} while (done < most && !ferror(out));
	free(bins);
	return 0;
}

/* Writes an arc, in as many records as its count needs. */
static void
gmon_call(FILE *out, const struct object_profile_call *c)
{
	unsigned char record[GMON_ARC_BYTES];
	uint64_t left = c->count;

	while (left != 0 && !ferror(out)) {
		uint64_t n = left < GMON_ARC_MOST ? left : GMON_ARC_MOST;

		gmon_put_arc(record, c->from, c->self, (uint32_t)n);
		fwrite(record, 1, sizeof(record), out);
		left -= n;
	}
}

static int
gmon_calls(FILE *out, const struct object_profile *e, struct fault *f)
{
	uint64_t repeats = 0;

	for (size_t i = 0; i < e->call_count; i++)
		repeats += e->calls[i].count / GMON_ARC_MOST;
	if (repeats > GMON_REPEATS)
		return fault_set(f, "cannot be written: there are more than "
		    "4.5 * 10^15 calls", FAULT_NO_OFFSET, 0);
	for (size_t i = 0; i < e->call_count; i++)
		gmon_call(out, &e->calls[i]);
	return 0;
}

int
export_gmon(FILE *out, const struct object_profile *e, struct fault *f)
{
	unsigned char head[GMON_HEADER];
	int ret;

	gmon_put_header(head);
	fwrite(head, 1, sizeof(head), out);
	ret = gmon_time(out, e, f);
	return ret != 0 ? ret : gmon_calls(out, e, f);
}
