/*
 * Context: O.  Writes the tree of a page and the samples at it, as columns of
 * numbers, for export_html.c; see html_samples.h.
 *
 * In a heap profile samples have all metrics in place of time and number.
 */
#include "html/html_samples.h"

#include "base/json.h"
#include "base/key_table.h"
#include "html/varint_column.h"
#include "sleep/sleep_cause.h"

#include <errno.h>
#include <inttypes.h>

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

static uint64_t
sample_asleep(const void *samples, size_t i)
{
	return ((const struct html_tree_sample *)samples)[i].asleep;
}

void
html_samples_nodes(FILE *out, const struct html_tree *t)
{
	const size_t count = t->node_keys.count;

	fputs("\"nodes\":{", out);
	put_column(out, "parent", t->nodes, count, node_parent);
	fputs(",\n", out);
	put_column(out, "function", t->nodes, count, node_function);
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
	if (s->some_asleep) {
		fputs(",\n", out);
		put_column(out, "asleep", s->all, s->count, sample_asleep);
	}
	fputs("}", out);
}

/* Writes a cause as [word, number of the function or -1, is it elsewhere]. */
static void
put_cause(FILE *out, const uint32_t *numbers, const struct key_table_key *k)
{
	const uint32_t number = k->a == MODEL_NONE ? 0 : numbers[k->a];
	const enum sleep_reason reason = (enum sleep_reason)k->b;

	putc('[', out);
	json_text(out, sleep_reason_word(reason));
	fprintf(out, ",%" PRId64 ",%s]", (int64_t)number - 1,
	    sleep_cause_is_elsewhere(reason) ? "true" : "false");
}

int
html_samples_causes(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers)
{
	struct key_table causes = { 0 };	/* a: function, b: reason */
	struct varint_column column;
	int ret = 0;

	varint_column_begin(&column, out, "cause");
	for (size_t i = 0; i < s->count && ret == 0; i++) {
		struct sleep_cause c;
		uint32_t n;

		if (!s->all[i].asleep) {
			varint_column_put(&column, 0);
			continue;
		}
		c = sleep_cause_of(m, &m->rows[s->all[i].row]);
		n = key_table_add(&causes, c.function, c.reason, 0);
		ret = n == UINT32_MAX ? -ENOMEM : 0;
		varint_column_put(&column, (uint64_t)n + 1);
	}
	varint_column_end(&column);
	fputs(",\n\"causes\":[", out);
	for (size_t i = 0; i < causes.count; i++) {
		fputs(i != 0 ? "," : "", out);
		put_cause(out, numbers, &causes.all[i]);
	}
	fputs("],\n", out);
	key_table_free(&causes);
	return ret;
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

/*
 * Sets weights[] to the share of each sample in the CPU time, or in the time
 * asleep if it is of that, in units of a billionth.  The page may show either,
 * and time asleep is often many times the other.  Returns the sum.
 */
static uint64_t
set_time(const struct html_tree_samples *s, uint64_t *weights)
{
	double sums[2] = { 0, 0 };
	uint64_t all = 0;

	for (size_t i = 0; i < s->count; i++)
		sums[s->all[i].asleep] += (double)s->all[i].ns;
	for (size_t i = 0; i < s->count; i++) {
		const struct html_tree_sample *own = &s->all[i];
		const uint64_t part = sums[own->asleep] == 0 ? 0 :
		    (uint64_t)((double)own->ns * 1e9 / sums[own->asleep]);

		weights[i] = part;
		all += part;
	}
	return all;
}

/*
 * Sets weights[] to the share of each sample in all metrics of the heap.
 * Returns the sum.
 */
static uint64_t
set_heap(const struct model *m, const struct html_tree_samples *s,
    uint64_t *weights)
{
	struct model_heap whole = { 0 };
	uint64_t all = 0;

	for (size_t i = 0; i < s->count; i++)
		model_heap_sum(&whole, model_heap(m,
		    &m->rows[s->all[i].row]));
	for (size_t i = 0; i < s->count; i++) {
		const struct model_row *r = &m->rows[s->all[i].row];
		const uint64_t own = part_of(m, r, &whole);

		weights[i] = own;
		all += own;
	}
	return all;
}

uint64_t
html_samples_weights(const struct model *m, const struct html_tree_samples *s,
    uint64_t *weights)
{
	return model_is_heap(m) ? set_heap(m, s, weights) :
	    set_time(s, weights);
}
