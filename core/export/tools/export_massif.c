/*
 * Context: O.  Writes Massif's files, for export_write(): snapshots over time,
 * each with how much of the heap was live, and two of them with the call paths
 * that had allocated it: the one at the peak, and the one at the end.
 *
 * The peak is written at the time of the snapshot that has most; its bytes are
 * those of the peak itself, which may have been between two snapshots.
 */
#include "tools/export_massif.h"

#include "derive/calltree.h"

#include <errno.h>
#include <inttypes.h>

/* A path with less than one part of so many is summed up with others. */
#define LEAST	100u
/*
 * Functions of a path; massif has 30, and perl complains of ms_print's
 * recursion from 100 on
 */
#define DEEPEST	90u

struct massif {
	FILE *out;
	struct model *model;
	size_t snapshots;
};

/* Returns whether all allocations are of one process. */
static bool
has_one_process(const struct model *m)
{
	for (size_t i = 1; i < m->point_count; i++)
		if (m->points[i].process != m->points[0].process)
			return false;
	return m->heap_files <= 1;
}

static void
put_snapshot(struct massif *x, uint64_t ns, uint64_t bytes, const char *tree)
{
	fprintf(x->out, "#-----------\nsnapshot=%zu\n#-----------\n"
	    "time=%" PRIu64 "\nmem_heap_B=%" PRIu64 "\nmem_heap_extra_B=0\n"
	    "mem_stacks_B=0\nheap_tree=%s\n", x->snapshots++, ns / 1000000,
	    bytes, tree);
}

/* Writes a name; characters that end a line are replaced. */
static void
put_massif_name(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		putc((unsigned char)*name < ' ' ? '?' : *name, out);
}

static void
put_function(const struct massif *x, uint32_t function)
{
	struct model *m = x->model;
	const char *name = model_function_name(m, function);

	put_massif_name(x->out, name != NULL ? name : "???");
	fputs(" (in ", x->out);
	put_massif_name(x->out, model_module_name(m,
	    m->functions[function].module));
	putc(')', x->out);
}

/*
 * Returns the bytes of a node; of node 0, which has no total, those of its
 * children.
 */
static uint64_t
bytes_of(const struct calltree *t, uint32_t node)
{
	uint64_t sum = 0;

	if (node != 0)
		return t->nodes[node].total_ns;
	for (uint32_t i = 0; i < t->nodes[0].children; i++)
		sum += t->nodes[t->order[t->nodes[0].first + i]].total_ns;
	return sum;
}

/* Returns how many children of a node have at least `least` bytes. */
static uint32_t
large_children(const struct calltree *t, uint32_t node, uint64_t least)
{
	const struct calltree_node *n = &t->nodes[node];
	uint32_t count = 0;

	/* Children are sorted, the largest first. */
	while (count < n->children &&
	    t->nodes[t->order[n->first + count]].total_ns >= least)
		count++;
	return count;
}

static void
put_indent(const struct massif *x, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		putc(' ', x->out);
}

/* Writes the rest of a node's children as one line. */
static void
put_small(const struct massif *x, const struct calltree *t, uint32_t node,
    uint32_t from, unsigned depth)
{
	const struct calltree_node *n = &t->nodes[node];
	uint64_t sum = 0;

	for (uint32_t i = from; i < n->children; i++)
		sum += t->nodes[t->order[n->first + i]].total_ns;
	put_indent(x, depth);
	fprintf(x->out, "n0: %" PRIu64 " in %u place%s, %sbelow massif's "
	    "threshold (1.00%%)\n", sum, n->children - from,
	    n->children - from == 1 ? "" : "s",
	    n->children - from == 1 ? "" : "all ");
}

/* Writes a node and what is below it, to a depth of DEEPEST. */
static void
put_node(const struct massif *x, const struct calltree *t, uint32_t node,
    uint64_t least, unsigned depth)
{
	const struct calltree_node *n = &t->nodes[node];
	const bool ends = depth == DEEPEST;
	const uint32_t large = ends ? 0 : large_children(t, node, least);
	const bool rest = !ends && large < n->children;

	put_indent(x, depth);
	fprintf(x->out, "n%u: %" PRIu64 " ", large + rest, bytes_of(t, node));
	if (node == 0) {
		fputs("(heap allocation functions) malloc/new/new[], "
		    "--alloc-fns, etc.", x->out);
	} else {
		fputs("0x0: ", x->out);
		put_function(x, n->function);
	}
	putc('\n', x->out);
	for (uint32_t i = 0; i < large; i++)
		put_node(x, t, t->order[n->first + i], least, depth + 1);
	if (rest)
		put_small(x, t, node, large, depth + 1);
}

/* Writes a snapshot with its tree, of that metric. */
static int
put_detailed(struct massif *x, uint64_t ns, enum metric measure,
    const char *tree)
{
	struct calltree t;
	int ret;

	model_heap_set_metric(x->model, measure);
	ret = calltree_make(&t, x->model, CALLTREE_BOTTOM_UP);
	if (ret == 0) {
		const uint64_t all = bytes_of(&t, 0);

		put_snapshot(x, ns, all, all == 0 ? "empty" : tree);
		if (all != 0)
			put_node(x, &t, 0, all / LEAST + 1, 0);
	}
	calltree_free(&t);
	return ret;
}

/* Returns the process with the heap; NULL if there is no process. */
static const struct model_process *
heap_process(const struct model *m)
{
	return m->point_count != 0 ? &m->processes[m->points[0].process] :
	    m->process_count != 0 ? m->processes : NULL;
}

static size_t
find_highest_point(const struct model *m)
{
	size_t best = 0;

	for (size_t i = 1; i < m->point_count; i++)
		if (m->points[i].live_bytes > m->points[best].live_bytes)
			best = i;
	return best;
}

/*
 * Writes a snapshot for each point, the highest one with the paths at the peak,
 * and one more with the paths at the end.
 */
static int
put_snapshots(struct massif *x)
{
	const struct model *m = x->model;
	const size_t peak = find_highest_point(m);
	const struct model_process *p = heap_process(m);
	const bool maps = p != NULL && p->maps_alone;
	const enum metric at_peak = maps ? METRIC_MAPPED_PEAK : METRIC_PEAK;
	const enum metric now = maps ? METRIC_MAPPED : METRIC_LIVE;
	uint64_t ns = 0;
	int ret = 0;

	for (size_t i = 0; i < m->point_count && ret == 0; i++) {
		ns = m->points[i].ns;
		if (i != peak)
			put_snapshot(x, ns, m->points[i].live_bytes, "empty");
		else
			ret = put_detailed(x, ns, at_peak, "peak");
	}
	if (m->point_count == 0)
		ret = put_detailed(x, ns, at_peak, "peak");
	return ret != 0 ? ret : put_detailed(x, ns, now, "detailed");
}

/*
 * Writes the header.  The description mentions the true peak, as the format has
 * no word for a peak that is at no snapshot.
 */
static void
put_head(struct massif *x)
{
	const struct model *m = x->model;
	const struct model_process *p = heap_process(m);

	fputs("desc: of a profile of libmon", x->out);
	if (m->point_count != 0)
		fprintf(x->out, ", %zu moments; the peak, %" PRIu64 " bytes, "
		    "is shown at that with the most, %" PRIu64 "%s",
		    m->point_count, p->heap_peak,
		    m->points[find_highest_point(m)].live_bytes,
		    model_is_sampled(m) ?
		    "; estimates, as some blocks were looked at for all" : "");
	fputs("\ncmd: ", x->out);
	put_massif_name(x->out, p != NULL ? p->program : "?");
	fputs("\ntime_unit: ms\n", x->out);
}

int
export_massif(struct model *m, FILE *out)
{
	struct massif x = { .out = out, .model = m };

	if (!has_one_process(m))
		return -E2BIG;
	put_head(&x);
	return put_snapshots(&x);
}
