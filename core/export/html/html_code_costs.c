/*
 * Context: O.  Sums up and writes the time of instructions for a page, for
 * html_code.c; see html_code_costs.h.
 */
#include "html/html_code_costs.h"

#include "base/compare.h"
#include "base/vector.h"
#include "html/varint_column.h"

#include <errno.h>
#include <stdlib.h>

bool
html_code_costs_by_sample(const struct model *m,
    const struct html_tree_samples *samples)
{
	return m->moment_count != 0 || model_is_heap(m) || samples->some_asleep;
}

static int
compare_costs(const void *left, const void *right)
{
	const struct html_code_cost *a = left, *b = right;
	const int d = compare_u64(a->at, b->at);

	return d != 0 ? d : compare_u64(a->of, b->of);
}

/*
 * Sorts the costs, and adds up those of one instruction and thread or sample.
 */
static void
merge_costs(struct html_code_costs *c)
{
	size_t kept = 0;

	if (c->count > 1)
		qsort(c->all, c->count, sizeof(*c->all), compare_costs);
	for (size_t i = 0; i < c->count; i++) {
		const struct html_code_cost own = c->all[i];

		if (kept != 0 && compare_costs(&c->all[kept - 1], &own) == 0)
			c->all[kept - 1].ns += own.ns;
		else
			c->all[kept++] = own;
	}
	c->count = kept;
}

int
html_code_costs_collect(struct html_code_costs *c, const struct model *m,
    const struct html_tree_samples *samples, const struct code *code,
    uint32_t function)
{
	c->count = 0;
	c->by_sample = html_code_costs_by_sample(m, samples);
	for (size_t i = 0; i < samples->count; i++) {
		const struct html_tree_sample *s = &samples->all[i];
		const struct model_row *r = &m->rows[s->row];

		if (r->function != function)
			continue;
		if (vector_grow(&c->all, c->count, &c->room,
		    sizeof(*c->all)) != 0)
			return -ENOMEM;
		c->all[c->count++] = (struct html_code_cost) {
			.at = code_at(code, model_lookup_address(r)),
			.of = c->by_sample ? (uint32_t)i : s->thread,
			.ns = s->ns,
		};
	}
	merge_costs(c);
	return 0;
}

void
html_code_costs_put(const struct html_code_costs *c, FILE *out)
{
	struct varint_column to;

	varint_column_begin_next(&to, out, "at");
	for (size_t i = 0; i < c->count; i++)
		varint_column_put(&to, c->all[i].at);
	varint_column_end(&to);
	varint_column_begin_next(&to, out, c->by_sample ? "sample" :
	    "thread");
	for (size_t i = 0; i < c->count; i++)
		varint_column_put(&to, c->all[i].of);
	varint_column_end(&to);
	varint_column_begin_next(&to, out, "ns");
	for (size_t i = 0; i < c->count; i++)
		varint_column_put(&to, c->all[i].ns);
	varint_column_end(&to);
}

void
html_code_costs_free(struct html_code_costs *c)
{
	free(c->all);
}
