/*
 * Context: O.  Implements prof --check for cmd/prof/per_file.c: reads all of a
 * file and counts its parts.
 */
#include "report/check.h"

#include "base/term.h"
#include "foreign/read_tprof.h"
#include "load.h"

#include <errno.h>
#include <inttypes.h>

struct check {
	uint64_t modules, threads, nodes, samples;
};

static int
count_profile_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct check *c = arg;

	(void)index;
	c->nodes++;
	c->samples += n->count;
	return 0;
}

/* Checks all trees, arcs and logged ticks, and counts what --check prints. */
static int
count_profile_parts(struct decode *d, struct check *c, struct fault *f)
{
	struct format_module m;
	struct format_thread t;
	uint32_t cursor = 0;
	int got = decode_counts_check(d, f);

	if (got != 0)
		return got;
	while ((got = decode_module(d, &cursor, &m, f)) == 1)
		c->modules++;
	cursor = 0;
	while (got == 0 && (got = decode_thread(d, &cursor, &t, f)) == 1) {
		c->threads++;
		got = decode_tree(d, t.root, count_profile_node, c, f);
	}
	return got;
}

/* Returns words for how the profile ended. */
static const char *
profile_state(const struct decode *d)
{
	return d->sealed ? "sealed" : d->header.end == FORMAT_END_DUMP ?
	    "a copy (its process went on)" :
	    "not sealed (its process runs, or ended unseen)";
}

/*
 * Checks a tprof.out.  A file without an end is intact up to where it ends,
 * like a profile that is not sealed.
 */
static int
check_tprof_sums(FILE *out, const char *path, struct fault *f)
{
	const struct term term = { .out = out };
	struct read_tprof_sum sum;
	int ret = read_tprof_check(path, &sum, f);

	f->file = path;
	if (ret != 0)
		return ret;
	term_text(&term, path, 0);
	fprintf(out, ": good, %s%s; modules %" PRIu64 ", nodes %" PRIu64
	    ", samples %" PRIu64 ", bytes %" PRIu64 "\n", sum.ended ?
	    "of tprof" : "of tprof, without an end (tprof runs, was killed, or "
	    "the disk was full)", sum.cut ? ", cut short" : "", sum.modules,
	    sum.nodes, sum.samples, sum.bytes);
	return 0;
}

int
check_file(FILE *out, const char *path, struct fault *f)
{
	const struct term term = { .out = out };
	struct check c = { 0 };
	struct load l;
	int ret = load_open(&l, path, f);

	if (ret == LOAD_OTHER)
		return check_tprof_sums(out, path, f);
	if (ret != 0)
		return ret;
	ret = count_profile_parts(&l.decode, &c, f);
	f->file = path;
	if (ret == 0) {
		term_text(&term, path, 0);
		fprintf(out, ": good, %s%s; modules %" PRIu64 ", threads %"
		    PRIu64 ", nodes %" PRIu64 ", samples %" PRIu64
		    ", bytes %zu\n", profile_state(&l.decode),
		    l.decode.cut != 0 ? ", cut short" : "", c.modules,
		    c.threads, c.nodes, c.samples, l.decode.size);
	}
	load_close(&l);
	return ret;
}
