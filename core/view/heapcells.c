/* Context: O.  What was allocated, as columns of the flat profile. */
#include "heapcells.h"

#include "error.h"
#include "unit.h"

#include <inttypes.h>

/* Left to right; before them that which lines are sorted by, if it is none. */
static const struct cells {
	size_t count;
	enum measure order[5];
} of_blocks = { 5, {
	MEASURE_PEAK, MEASURE_LIVE, MEASURE_TOTAL, MEASURE_BLOCKS,
	MEASURE_TEMPORARY,
} }, of_maps = { 4, {
	MEASURE_MAPPED_PEAK, MEASURE_MAPPED, MEASURE_MAPPED_TOTAL,
	MEASURE_MAPPINGS,
} };

static const struct cells *
cells_of(const struct model *m)
{
	return measure_is_mapped(m->measure) ? &of_maps : &of_blocks;
}

static bool
is_another(const struct model *m)
{
	const struct cells *c = cells_of(m);

	for (size_t i = 0; i < c->count; i++)
		if (c->order[i] == m->measure)
			return false;
	return true;
}

int
heapcells_width(const struct model *m)
{
	return 6 + ((int)cells_of(m)->count + is_another(m)) *
	    (UNIT_COLUMNS + 1);
}

static void
put_head(FILE *out, enum measure measure)
{
	const struct unit u = { .measure = measure };

	fprintf(out, "%*s", UNIT_COLUMNS + 1, unit_head(&u));
}

void
heapcells_head(FILE *out, const struct model *m, bool error)
{
	const struct unit u = { .measure = m->measure };

	fprintf(out, "%6s%s", unit_share(&u), error ? "    +-" : "");
	if (is_another(m))
		put_head(out, m->measure);
	for (size_t i = 0; i < cells_of(m)->count; i++)
		put_head(out, cells_of(m)->order[i]);
}

/* "<=9.77K": at the most. */
static void
put_bound(FILE *out, uint64_t n)
{
	char room[UNIT_SCALED], text[UNIT_SCALED + 2];

	snprintf(text, sizeof(text), "<=%s", unit_bytes(n, room));
	fprintf(out, "%*s", UNIT_COLUMNS, text);
}

static void
put_cell(FILE *out, enum measure measure, const struct model *m,
    const struct model_heap *h)
{
	const struct unit u = { .measure = measure };

	putc(' ', out);
	if (measure == MEASURE_HIGH && !model_is_high_exact(m, h))
		put_bound(out, h->high_bytes);
	else
		unit_put(out, &u, UNIT_COLUMNS, measure_of(measure, h));
}

void
heapcells_put(FILE *out, const struct model *m, const struct group_line *l,
    uint64_t total, bool error)
{
	fprintf(out, "%6.1f", total == 0 ? 0 :
	    (double)l->ns * 100 / (double)total);
	if (error)
		error_put(out, m, l->ns, l->count, total, false);
	if (is_another(m))
		put_cell(out, m->measure, m, &l->heap);
	for (size_t i = 0; i < cells_of(m)->count; i++)
		put_cell(out, cells_of(m)->order[i], m, &l->heap);
}

/* For programs: all there are. */
static const enum measure heapcells_all[] = {
	MEASURE_LIVE, MEASURE_LIVE_BLOCKS, MEASURE_PEAK, MEASURE_TOTAL,
	MEASURE_BLOCKS, MEASURE_FREED, MEASURE_TEMPORARY, MEASURE_MAPPED,
	MEASURE_MAPPED_PEAK, MEASURE_MAPPED_TOTAL, MEASURE_MAPPINGS,
	MEASURE_HIGH,
};

#define SHEET_CELLS (sizeof(heapcells_all) / sizeof(*heapcells_all))

void
heapcells_columns(struct sheet *s)
{
	for (unsigned i = 0; i < SHEET_CELLS; i++)
		sheet_column(s, measure_column(heapcells_all[i]));
	sheet_column(s, "high_exact");
}

void
heapcells_sheet(struct sheet *s, const struct model *m,
    const struct group_line *l)
{
	for (unsigned i = 0; i < SHEET_CELLS; i++)
		sheet_number(s, "%" PRIu64, measure_of(heapcells_all[i],
		    &l->heap));
	sheet_text(s, model_is_high_exact(m, &l->heap) ? "yes" : "no");
}
