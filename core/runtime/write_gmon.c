/*
 * Context: T.  gmon.out of this process, when format=gmon asks for it; the
 * layout is in gmon.h.
 *
 * The time of the executable's addresses in bins of 4 bytes, as glibc has them,
 * and its arcs.  Calls from other objects are as if they came from the entry
 * point: gprof drops what has no caller with a symbol.
 */
#include "gmonout.h"

#include "aside.h"
#include "gmon_put.h"
#include "note.h"
#include "options.h"
#include "store.h"
#include "str.h"
#include "whole.h"

#include <sys/auxv.h>

#define BIN_BYTES	4u
#define BINS_AT_ONCE	1024u
#define RECORDS_MOST	8u	/* of one range, rather than a coarser rate */
#define CALLS_AT_ONCE	64u
#define PREFIX		"GMON_OUT_PREFIX="

static bool expected;

struct gmonout {
	const struct format_header *header;
	const struct format_module *program;
	uint32_t module;	/* its index */
	uint64_t low, high;	/* in its file */
	uint64_t bins;
	uint64_t *ns;		/* one a bin */
	uint64_t most;		/* of all bins */
	uint32_t rate;
	uint64_t period;
	char path[PATH_MAX];
};

void
gmonout_expected(void)
{
	expected = true;
}

static bool
find_program(struct gmonout *g)
{
	uint32_t at = g->header->modules;

	for (; at != 0; at = g->program->next) {
		g->program = store_at(at);
		if ((g->program->flags & FORMAT_M_MAIN) != 0)
			break;
	}
	g->module = at;
	if (at == 0 || g->program->end <= g->program->start)
		return false;
	g->low = g->program->start - g->program->bias;
	g->bins = (g->program->end - g->program->start + BIN_BYTES - 1) /
	    BIN_BYTES;
	g->high = g->low + g->bins * BIN_BYTES;
	return g->bins <= INT32_MAX;
}

static void
add_node(struct gmonout *g, const struct format_node *n)
{
	uint64_t bin = (n->address - g->low) / BIN_BYTES;

	if (n->module != g->module || bin >= g->bins ||
	    (n->kind != FORMAT_USER && n->kind != FORMAT_KERNEL))
		return;
	g->ns[bin] += n->ns;
	if (g->ns[bin] > g->most)
		g->most = g->ns[bin];
}

/* Down, along, and up again; nodes may come in while we look. */
static void
add_tree(struct gmonout *g, uint32_t root)
{
	const struct format_node *n = store_at(root);
	uint32_t at = n->child;

	while (at != 0) {
		n = store_at(at);
		add_node(g, n);
		if (n->child != 0) {
			at = n->child;
			continue;
		}
		while (n->sibling == 0 && n->parent != root)
			n = store_at(n->parent);
		at = n->sibling;
	}
}

static void
add_threads(struct gmonout *g)
{
	const struct format_thread *t;
	uint32_t at;

	for (at = g->header->threads; at != 0; at = t->next) {
		t = store_at(at);
		if (t->root != 0)
			add_tree(g, t->root);
	}
}

/* As prof writes them: gprof adds ticks of several files without a look. */
static void
choose_rate(struct gmonout *g)
{
	uint64_t most = (uint64_t)RECORDS_MOST * GMON_BIN_MOST;

	for (g->rate = 10000; g->rate > 1; g->rate /= 10)
		if (g->most / (1000000000u / g->rate) < most)
			break;
	g->period = 1000000000u / g->rate;
}

/* Once more for what 16 bits did not hold of a bin. */
static int
put_bins(int fd, const struct gmonout *g, uint64_t done)
{
	unsigned char buf[2 * BINS_AT_ONCE], *to = buf;
	uint64_t i, ticks, left = g->period / 2;
	int ret = 0;

	for (i = 0; ret == 0 && i < g->bins; i++) {
		/* What is left of a tick goes to the next bin. */
		left += g->ns[i];
		ticks = left / g->period;
		left -= ticks * g->period;
		ticks = ticks > done ? ticks - done : 0;
		to = bytes_put(to, ticks < GMON_BIN_MOST ? ticks :
		    GMON_BIN_MOST, 2);
		if (to == buf + sizeof buf || i + 1 == g->bins) {
			ret = whole_put(fd, buf, (size_t)(to - buf));
			to = buf;
		}
	}
	return ret;
}

static int
put_time(int fd, const struct gmonout *g)
{
	uint64_t done = 0, most = g->most / g->period + 1;
	unsigned char head[GMON_HIST_BYTES];
	int ret = 0;

	for (; ret == 0 && done <= most; done += GMON_BIN_MOST) {
		gmon_put_hist(head, g->low, g->high, (uint32_t)g->bins,
		    g->rate);
		ret = whole_put(fd, head, sizeof head);
		if (ret == 0)
			ret = put_bins(fd, g, done);
	}
	return ret;
}

static uint64_t
caller(const struct gmonout *g, const struct format_arc *a)
{
	return a->from_module == g->module ? a->from - 1 :
	    (uint64_t)getauxval(AT_ENTRY) - g->program->bias;
}

static int
put_arc(int fd, const struct gmonout *g, const struct format_arc *a)
{
	uint64_t left = __atomic_load_n(&a->count, __ATOMIC_RELAXED);
	unsigned char record[GMON_ARC_BYTES];
	int ret = 0;

	while (ret == 0 && left != 0) {
		uint32_t n = left < GMON_ARC_MOST ? (uint32_t)left :
		    GMON_ARC_MOST;

		gmon_put_arc(record, caller(g, a), a->self, n);
		ret = whole_put(fd, record, sizeof record);
		left -= n;
	}
	return ret;
}

static int
put_arcs(int fd, const struct gmonout *g)
{
	const struct format_arcs *b;
	uint32_t at, i;
	int ret = 0;

	for (at = g->header->arcs; ret == 0 && at != 0; at = b->next) {
		b = store_at(at);
		for (i = 0; ret == 0 && i < b->room; i++)
			if (__atomic_load_n(&b->arc[i].self,
			    __ATOMIC_ACQUIRE) != 0 &&
			    b->arc[i].self_module == g->module)
				ret = put_arc(fd, g, &b->arc[i]);
	}
	return ret;
}

static int
put_all(int fd, void *gmonout)
{
	const struct gmonout *g = gmonout;
	unsigned char head[GMON_HEADER];
	int ret;

	gmon_put_header(head);
	ret = whole_put(fd, head, sizeof head);
	if (ret == 0)
		ret = put_time(fd, g);
	return ret != 0 ? ret : put_arcs(fd, g);
}

static int
write_whole(void *gmonout)
{
	struct gmonout *g = gmonout;

	return whole_write(g->path, put_all, g);
}

static void
make_path(struct gmonout *g)
{
	const char *prefix = options_value(environ, PREFIX);
	struct str s;

	str_init(&s, g->path, sizeof g->path);
	if (prefix != NULL) {
		str_add(&s, prefix);
		str_add(&s, ".");
		str_add_number(&s, (uint64_t)mon->pid);
	} else if (expected) {
		str_add(&s, "gmon.out");
	} else {
		str_add(&s, mon->store.local ? mon->store.final :
		    mon->store.path);
		str_add(&s, ".gmon");
	}
}

void
gmonout_write(void)
{
	struct gmonout g = {.header = store_header()};
	size_t bytes;

	if (config.format != CONFIG_FORMAT_GMON || g.header == NULL ||
	    config.place == CONFIG_PLACE_MEMORY || !find_program(&g))
		return;
	bytes = g.bins * sizeof *g.ns;
	g.ns = sys_memory(bytes);
	if (g.ns == NULL)
		return;
	add_threads(&g);
	choose_rate(&g);
	make_path(&g);
	/* At exec others run on: none is to be given another descriptor. */
	if (aside(write_whole, &g) != 0 && config.message)
		note_write(g.path, ": it could not be written", NULL);
	sys_munmap(g.ns, bytes);
}
