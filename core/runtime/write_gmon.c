/*
 * Context: T.  gmon.out of this process; the layout is in gmon.h.
 *
 * The time of the executable's addresses in bins of 4 bytes, as glibc has them,
 * and its arcs.  Calls from other objects are as if they came from the entry
 * point: gprof drops what has no caller with a symbol.
 */
#include "aside.h"
#include "gmon_put.h"
#include "harvest.h"
#include "ticks.h"
#include "whole.h"
#include "writers.h"

#include <errno.h>
#include <limits.h>
#include <sys/auxv.h>

#define BIN_BYTES	4u
#define RECORDS_MOST	8u	/* of one range, rather than a coarser rate */

struct gmon_file {
	const char *path;
	struct harvest_bins bins;
	uint32_t rate;
	struct whole_parts out;
};

/* As prof writes them: gprof adds ticks of several files without a look. */
static void
choose_rate(struct gmon_file *g)
{
	uint64_t most = (uint64_t)RECORDS_MOST * GMON_BIN_MOST;

	for (g->rate = 10000; g->rate > 1; g->rate /= 10)
		if (g->bins.most / (1000000000u / g->rate) < most)
			break;
}

/* Once more for what 16 bits did not hold of a bin. */
static void
put_bins(struct gmon_file *g, uint64_t done)
{
	struct ticks clock = ticks_at(g->rate);
	uint64_t i;

	for (i = 0; i < g->bins.count; i++) {
		uint64_t ticks = ticks_whole(&clock, g->bins.ns[i]);

		ticks = ticks > done ? ticks - done : 0;
		whole_add_number(&g->out, ticks < GMON_BIN_MOST ? ticks :
		    GMON_BIN_MOST, 2);
	}
}

static void
put_time(struct gmon_file *g)
{
	const uint64_t low = g->bins.program.low;
	const uint64_t most = g->bins.most / (1000000000u / g->rate) + 1;
	unsigned char head[GMON_HIST_BYTES];
	uint64_t done;

	for (done = 0; done <= most; done += GMON_BIN_MOST) {
		gmon_put_hist(head, low, low + g->bins.count * BIN_BYTES,
		    (uint32_t)g->bins.count, g->rate);
		whole_add(&g->out, head, sizeof head);
		put_bins(g, done);
	}
}

static uint64_t
caller(const struct harvest_program *p, const struct format_arc *a)
{
	return harvest_is_of(p, a->from_module) ? a->from - 1 :
	    (uint64_t)getauxval(AT_ENTRY) - p->module->bias;
}

static int
put_arc(void *gmon_file, const struct format_arc *a, uint64_t count)
{
	struct gmon_file *g = gmon_file;
	const struct harvest_program *p = &g->bins.program;
	unsigned char record[GMON_ARC_BYTES];

	while (count != 0 && harvest_is_of(p, a->self_module)) {
		uint32_t n = count < GMON_ARC_MOST ? (uint32_t)count :
		    GMON_ARC_MOST;

		gmon_put_arc(record, caller(p, a), a->self, n);
		whole_add(&g->out, record, sizeof record);
		count -= n;
	}
	return g->out.error;
}

static int
put_all(int fd, void *gmon_file)
{
	struct gmon_file *g = gmon_file;
	unsigned char head[GMON_HEADER];

	g->out = (struct whole_parts){.fd = fd};
	gmon_put_header(head);
	whole_add(&g->out, head, sizeof head);
	put_time(g);
	harvest_arcs(put_arc, g);
	return whole_end(&g->out);
}

static int
put_file(void *gmon_file)
{
	struct gmon_file *g = gmon_file;

	return whole_write(g->path, put_all, g);
}

int
write_gmon(const char *path)
{
	struct gmon_file g = {.path = path};
	int ret = harvest_bins(&g.bins, BIN_BYTES, writers_clip_gmon);

	if (ret == 0) {
		choose_rate(&g);
		/* Others run on: none is to be given another descriptor. */
		ret = g.bins.count > INT32_MAX ? -ERANGE : aside(put_file, &g);
	}
	harvest_bins_free(&g.bins);
	return ret;
}
