/*
 * Context: O.  Puts the times of samples into a page, for export_html.c; see
 * html_moments.h.
 */
#include "html/html_moments.h"

#include "html/varint_column.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/*
 * Returns for each row the number of its sample + 1; malloced.  NULL: no
 * memory.
 */
static uint32_t *
samples_of_rows(const struct model *m, const struct html_tree_samples *s)
{
	uint32_t *all = calloc(m->row_count + 1, sizeof(*all));

	for (size_t i = 0; i < s->count && all != NULL; i++)
		all[s->all[i].row] = (uint32_t)i + 1;
	return all;
}

enum moment_column { MOMENT_AT, MOMENT_SAMPLE, MOMENT_NS };

/*
 * Writes a column of the samples' times.  A time is written as the difference
 * from the one before it, in us.
 */
static void
put_moment_column(FILE *out, const struct model *m, const char *name,
    const uint32_t *samples, enum moment_column which)
{
	uint64_t us, before = m->moments[0].real / 1000;
	struct varint_column c;

	varint_column_begin(&c, out, name);
	for (size_t i = 0; i < m->moment_count; i++) {
		const struct model_moment *own = &m->moments[i];

		if (samples[own->row] == 0)
			continue;
		us = own->real / 1000;
		if (which == MOMENT_AT)
			varint_column_put(&c, us - before);
		else if (which == MOMENT_SAMPLE)
			varint_column_put(&c, samples[own->row] - 1);
		else
			varint_column_put(&c, own->ns);
		before = us;
	}
	varint_column_end(&c);
}

int
html_moments_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s)
{
	uint32_t *samples;

	if (m->moment_count == 0)
		return 0;
	samples = samples_of_rows(m, s);
	if (samples == NULL)
		return -ENOMEM;
	fprintf(out, "\"moments\":{\"began\":%" PRIu64 ",\n",
	    m->moments[0].real / 1000);
	put_moment_column(out, m, "at", samples, MOMENT_AT);
	fputs(",\n", out);
	put_moment_column(out, m, "sample", samples, MOMENT_SAMPLE);
	fputs(",\n", out);
	put_moment_column(out, m, "ns", samples, MOMENT_NS);
	fputs("},\n", out);
	free(samples);
	return 0;
}
