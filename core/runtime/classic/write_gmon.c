/*
 * Context: T.  Writes a gmon.out of this process, for format_writers.c, one
 * writer at a time; the layout is in gmon.h.
 *
 * It has the time of the executable's addresses in bins of 4 bytes, as glibc's
 * has, and its arcs.  Calls from other objects are shown as calls from the
 * entry point: gprof drops a call whose caller has no symbol.
 */
#include "base/atomic_write.h"
#include "classic/format_writers.h"
#include "classic/gmon_request.h"
#include "classic/store_read.h"
#include "classic/gmon_put.h"
#include "thread/private_fds.h"
#include "ticks.h"

#include <errno.h>
#include <limits.h>
#include <sys/auxv.h>

#define BIN_BYTES	4u
/* Records of one range, before a coarser rate is chosen. */
#define RECORDS_MOST	8u

struct gmon_file {
	const char *path;
	struct store_read_bins bins;
	uint32_t rate;
	struct atomic_write_buffer out;
};

/*
 * Chooses a rate as prof does: gprof adds ticks of several files without
 * comparing their rates.
 */
static void
choose_gmon_rate(struct gmon_file *g)
{
	uint64_t most = (uint64_t)RECORDS_MOST * GMON_BIN_MOST;

	for (g->rate = 10000; g->rate > 1; g->rate /= 10)
		if (g->bins.most / (1000000000u / g->rate) < most)
			break;
}

/*
 * Writes the bins.  done: ticks of each bin that former records hold, because
 * 16 bits do not hold all.
 */
static void
write_gmon_bins(struct gmon_file *g, uint64_t done)
{
	struct ticks clock = ticks_at(g->rate);

	for (uint64_t i = 0; i < g->bins.count; i++) {
		uint64_t ticks = ticks_whole(&clock, g->bins.ns[i]);

		ticks = ticks > done ? ticks - done : 0;
		atomic_write_number(&g->out, ticks < GMON_BIN_MOST ? ticks :
		    GMON_BIN_MOST, 2);
	}
}

/* Writes as many records of the whole range as the fullest bin needs. */
static void
write_gmon_histograms(struct gmon_file *g)
{
	const uint64_t low = g->bins.program.low;
	const uint64_t most = g->bins.most / (1000000000u / g->rate) + 1;
	unsigned char head[GMON_HIST_BYTES];

	for (uint64_t done = 0; done <= most; done += GMON_BIN_MOST) {
		gmon_put_hist(head, low, low + g->bins.count * BIN_BYTES,
		    (uint32_t)g->bins.count, g->rate);
		atomic_write_add(&g->out, head, sizeof(head));
		write_gmon_bins(g, done);
	}
}

/* Returns the caller's address in the executable, or its entry point. */
static uint64_t
gmon_caller(const struct store_read_program *p, const struct format_arc *a)
{
	return store_read_is_program(p, a->from_module) ? a->from - 1 :
	    (uint64_t)getauxval(AT_ENTRY) - p->module->bias;
}

static int
write_gmon_arc(void *gmon_file, const struct format_arc *a, uint64_t count)
{
	struct gmon_file *g = gmon_file;
	const struct store_read_program *p = &g->bins.program;
	unsigned char record[GMON_ARC_BYTES];

	while (count != 0 && store_read_is_program(p, a->self_module)) {
		uint32_t n = count < GMON_ARC_MOST ? (uint32_t)count :
		    GMON_ARC_MOST;

		gmon_put_arc(record, gmon_caller(p, a), a->self, n);
		atomic_write_add(&g->out, record, sizeof(record));
		count -= n;
	}
	return g->out.error;
}

static int
write_gmon_body(int fd, void *gmon_file)
{
	struct gmon_file *g = gmon_file;
	unsigned char head[GMON_HEADER];

	g->out = (struct atomic_write_buffer){.fd = fd};
	gmon_put_header(head);
	atomic_write_add(&g->out, head, sizeof(head));
	write_gmon_histograms(g);
	store_read_arcs(write_gmon_arc, g);
	return atomic_write_flush(&g->out);
}

static int
write_gmon_file(void *gmon_file)
{
	struct gmon_file *g = gmon_file;

	return atomic_write_file(g->path, write_gmon_body, g);
}

int
write_gmon(const char *path)
{
	struct gmon_file g = {.path = path};
	int ret = store_read_bins(&g.bins, BIN_BYTES, gmon_request_clip);

	if (ret == 0) {
		choose_gmon_rate(&g);
		/*
		 * Other threads run: none of them may be given another
		 * descriptor.
		 */
		ret = g.bins.count > INT32_MAX ? -ERANGE :
		    private_fds_run(write_gmon_file, &g);
	}
	store_read_free_bins(&g.bins);
	return ret;
}
