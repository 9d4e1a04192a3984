/*
 * Context: O.  Writes the tree of a page and the samples at it, as columns of
 * numbers.
 *
 * In a heap profile samples have all metrics in place of time and number.
 */
#include "html/html_samples.h"

#include "html/varint_column.h"

/* Writes a column with the value what(from, i) of each of `count` things. */
static void
put_column(FILE *out, const char *name, const void *from, size_t count,
    uint64_t (*what)(const void *from, size_t i))
{
	struct varint_column c;

	varint_column_begin(&c, out, name);
	for (size_t i = 0; i < count; i++)
		varint_column_put(&c, what(from, i));
	varint_column_end(&c);
}

/* Returns the distance to the parent, which fits a byte for most nodes. */
static uint64_t
node_parent(const void *nodes, size_t i)
{
	return i - ((const struct html_tree_node *)nodes)[i].parent;
}

static uint64_t
node_function(const void *nodes, size_t i)
{
	const struct html_tree_node *n =
	    (const struct html_tree_node *)nodes + i;

	return (uint64_t)n->function << 1 | n->inlined;
}

static uint64_t
sample_node(const void *samples, size_t i)
{
	return ((const struct html_tree_sample *)samples)[i].node;
}

static uint64_t
sample_thread(const void *samples, size_t i)
{
	return ((const struct html_tree_sample *)samples)[i].thread;
}

static uint64_t
sample_ns(const void *samples, size_t i)
{
	return ((const struct html_tree_sample *)samples)[i].ns;
}

static uint64_t
sample_count(const void *samples, size_t i)
{
	return ((const struct html_tree_sample *)samples)[i].count;
}

void
html_samples_nodes(FILE *out, const struct html_tree *t)
{
	fputs("\"nodes\":{", out);
	put_column(out, "parent", t->nodes, t->node_count, node_parent);
	fputs(",\n", out);
	put_column(out, "function", t->nodes, t->node_count, node_function);
	fputs("},\n", out);
}

/*
 * Writes a member such as "weights":{"peak":"...",...}: a column for each
 * metric, whose values are of().
 */
static void
put_weights(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const char *what,
    uint64_t (*of)(enum metric measure, const struct model_heap *h))
{
	fprintf(out, "\"%s\":{", what);
	for (unsigned i = METRIC_PEAK; i < METRICS; i++) {
		struct varint_column c;

		fputs(i != METRIC_PEAK ? ",\n" : "", out);
		varint_column_begin(&c, out, metric_name(i));
		for (size_t k = 0; k < s->count; k++)
			varint_column_put(&c, of((enum metric)i, model_heap(m,
			    &m->rows[s->all[k].row])));
		varint_column_end(&c);
	}
	putc('}', out);
}

/*
 * Writes the samples of a heap profile.  Their numbers are written only if
 * blocks were sampled.
 */
static void
put_heap(FILE *out, const struct model *m, const struct html_tree_samples *s)
{
	put_weights(out, m, s, "weights", metric_value);
	if (model_is_sampled(m)) {
		fputs(",\n", out);
		put_weights(out, m, s, "counts", metric_samples);
	}
	putc('}', out);
}

void
html_samples_measures(FILE *out, const struct model *now,
    const struct model *old)
{
	fputs("\"measures\":[", out);
	for (unsigned i = METRIC_PEAK; i < METRICS; i++) {
		if (!model_heap_has_metric(now, (enum metric)i) &&
		    (old == NULL || !model_heap_has_metric(old,
		    (enum metric)i)))
			continue;
		fprintf(out, "%s{\"name\":\"%s\",\"words\":\"%s\","
		    "\"bytes\":%s}", i != METRIC_PEAK ? ",\n" : "",
		    metric_name(i), metric_description((enum metric)i),
		    metric_is_bytes((enum metric)i) ? "true" : "false");
	}
	fprintf(out, "],\n\"measure\":\"%s\",\n\"exact\":%s,\n",
	    metric_name(now->measure),
	    model_is_sampled(now) || (old != NULL && model_is_sampled(old)) ?
	    "false" : "true");
}

void
html_samples_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s)
{
	fputs("\"samples\":{", out);
	put_column(out, "node", s->all, s->count, sample_node);
	fputs(",\n", out);
	put_column(out, "thread", s->all, s->count, sample_thread);
	fputs(",\n", out);
	if (model_is_heap(m)) {
		put_heap(out, m, s);
		return;
	}
	put_column(out, "ns", s->all, s->count, sample_ns);
	fputs(",\n", out);
	put_column(out, "count", s->all, s->count, sample_count);
	fputs("}", out);
}

/*
 * Returns the share of a row in the whole heap, summed over the metrics, of
 * which the page may show any: a millionth of each metric counts 1.
 */
static uint64_t
part_of(const struct model *m, const struct model_row *r,
    const struct model_heap *whole)
{
	double part = 0;

	for (unsigned i = METRIC_PEAK; i < METRICS; i++) {
		const uint64_t own = metric_value((enum metric)i,
		    model_heap(m, r));
		const uint64_t all = metric_value((enum metric)i, whole);

		/* Values of a malformed file can make the sum overflow. */
		if (own <= all && all != 0)
			part += (double)own * 1e6 / (double)all;
	}
	return (uint64_t)part;
}

uint64_t
html_samples_functions(const struct model *m, const struct html_tree_samples *s,
    uint64_t *weights)
{
	struct model_heap whole = { 0 };
	uint64_t all = 0;

	for (size_t i = 0; i < s->count; i++)
		model_heap_sum(&whole, model_heap(m,
		    &m->rows[s->all[i].row]));
	for (size_t i = 0; i < s->count; i++) {
		const struct model_row *r = &m->rows[s->all[i].row];
		const uint64_t own = model_is_heap(m) ? part_of(m, r, &whole) :
		    s->all[i].ns;

		weights[r->function] += own;
		all += own;
	}
	return all;
}
