/*
 * Context: O.  Prints allocations as columns of the flat profile, for flat.c
 * and flat_data.c; see heap_columns.h.
 */
#include "heap/heap_columns.h"

#include "base/quantity.h"
#include "base/sampling_error.h"

#include <inttypes.h>

/*
 * The columns of blocks and of mappings, from left to right.  If the metric of
 * the model (model.measure), of which the lines show a share, is not among
 * them, it is an additional first column.
 */
static const struct column_set {
	size_t count;
	enum metric order[5];
} block_columns = { 5, {
	METRIC_PEAK, METRIC_LIVE, METRIC_TOTAL, METRIC_BLOCKS,
	METRIC_TEMPORARY,
} }, mapping_columns = { 4, {
	METRIC_MAPPED_PEAK, METRIC_MAPPED, METRIC_MAPPED_TOTAL,
	METRIC_MAPPINGS,
} };

static const struct column_set *
find_column_set(const struct model *m)
{
	return metric_is_mapped(m->measure) ? &mapping_columns : &block_columns;
}

static bool
needs_metric_column(const struct model *m)
{
	const struct column_set *c = find_column_set(m);

	for (size_t i = 0; i < c->count; i++)
		if (c->order[i] == m->measure)
			return false;
	return true;
}

int
heap_columns_width(const struct model *m)
{
	return 6 + ((int)find_column_set(m)->count + needs_metric_column(m)) *
	    (QUANTITY_COLUMNS + 1);
}

static void
put_heap_head(FILE *out, enum metric measure)
{
	const struct quantity u = { .measure = measure };

	fprintf(out, "%*s", QUANTITY_COLUMNS + 1, quantity_head(&u));
}

void
heap_columns_head(FILE *out, const struct model *m, bool error)
{
	const struct quantity u = { .measure = m->measure };

	fprintf(out, "%6s%s", quantity_share_head(&u), error ? "    +-" : "");
	if (needs_metric_column(m))
		put_heap_head(out, m->measure);
	for (size_t i = 0; i < find_column_set(m)->count; i++)
		put_heap_head(out, find_column_set(m)->order[i]);
}

/* Prints an upper bound, as "<=9.77K". */
static void
put_upper_bound(FILE *out, uint64_t n)
{
	char room[QUANTITY_TEXT_ROOM], text[QUANTITY_TEXT_ROOM + 2];

	snprintf(text, sizeof(text), "<=%s", quantity_format_bytes(n, room));
	fprintf(out, "%*s", QUANTITY_COLUMNS, text);
}

static void
put_heap_cell(FILE *out, enum metric measure, const struct model *m,
    const struct model_heap *h)
{
	const struct quantity u = { .measure = measure };

	putc(' ', out);
	if (measure == METRIC_HIGH && !model_heap_is_high_exact(m, h))
		put_upper_bound(out, h->high_bytes);
	else
		quantity_put(out, &u, QUANTITY_COLUMNS, metric_value(measure,
		    h));
}

void
heap_columns_put(FILE *out, const struct model *m, const struct group_line *l,
    uint64_t total, bool error)
{
	fprintf(out, "%6.1f", total == 0 ? 0 :
	    (double)l->ns * 100 / (double)total);
	if (error)
		sampling_error_put(out, m, l->ns, l->count, total, false);
	if (needs_metric_column(m))
		put_heap_cell(out, m->measure, m, &l->heap);
	for (size_t i = 0; i < find_column_set(m)->count; i++)
		put_heap_cell(out, find_column_set(m)->order[i], m, &l->heap);
}

/* Data tables have all metrics. */
static const enum metric heap_columns_all[] = {
	METRIC_LIVE, METRIC_LIVE_BLOCKS, METRIC_PEAK, METRIC_TOTAL,
	METRIC_BLOCKS, METRIC_FREED, METRIC_TEMPORARY, METRIC_MAPPED,
	METRIC_MAPPED_PEAK, METRIC_MAPPED_TOTAL, METRIC_MAPPINGS,
	METRIC_HIGH,
};

#define HEAP_COLUMNS_ALL \
	(sizeof(heap_columns_all) / sizeof(heap_columns_all[0]))

void
heap_columns_declare(struct data_table *s)
{
	for (unsigned i = 0; i < HEAP_COLUMNS_ALL; i++)
		data_table_column(s, metric_column(heap_columns_all[i]));
	data_table_column(s, "high_exact");
}

void
heap_columns_data(struct data_table *s, const struct model *m,
    const struct group_line *l)
{
	for (unsigned i = 0; i < HEAP_COLUMNS_ALL; i++)
		data_table_number(s, "%" PRIu64,
		    metric_value(heap_columns_all[i], &l->heap));
	data_table_text(s, model_heap_is_high_exact(m, &l->heap) ? "yes" :
	    "no");
}
