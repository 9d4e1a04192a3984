/*
 * Context: O.  Puts the heap timeline and the sizes of the blocks into a page,
 * for export_html.c.
 */
#include "html/html_growth.h"

#include "base/json.h"

#include <inttypes.h>

/* Writes one field of the points [from, to). */
static void
put_column(FILE *out, const struct model *m, size_t from, size_t to,
    const char *name, uint64_t (*of)(const struct model_point *p))
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = from; i < to; i++)
		fprintf(out, "%s%" PRIu64, i != from ? "," : "",
		    of(&m->points[i]));
	putc(']', out);
}

static uint64_t
point_microseconds(const struct model_point *p)
{
	return p->ns / 1000;
}

static uint64_t
point_live_bytes(const struct model_point *p)
{
	return p->live_bytes;
}

static uint64_t
point_resident_bytes(const struct model_point *p)
{
	return p->resident_bytes;
}

static void
put_process_growth(FILE *out, const struct model *m, size_t from, size_t to)
{
	const struct model_process *p =
	    &m->processes[m->points[from].process];

	/* began: us since 1970, as the times of samples have it */
	fprintf(out, "%s{\"process\":%" PRIu32 ",\"peak\":%" PRIu64 ","
	    "\"began\":%" PRIu64 ",\"pid\":%" PRId32 ",\"program\":",
	    from != 0 ? ",\n" : "", m->points[from].process, p->heap_peak,
	    p->birth_real / 1000, p->pid);
	json_text(out, p->program);
	fprintf(out, ",\"what\":\"%s\"", p->maps_alone ? "mapped" : "live");
	put_column(out, m, from, to, "us", point_microseconds);
	put_column(out, m, from, to, "live", point_live_bytes);
	put_column(out, m, from, to, "resident", point_resident_bytes);
	putc('}', out);
}

void
html_growth_put(FILE *out, const struct model *m)
{
	fputs("\"growth\":[", out);
	for (size_t from = 0, to; from < m->point_count; from = to) {
		for (to = from; to < m->point_count &&
		    m->points[to].process == m->points[from].process; to++)
			;
		put_process_growth(out, m, from, to);
	}
	fputs("],\n\"sizes\":[", out);
	for (unsigned i = 0; i < FORMAT_SIZES; i++)
		fprintf(out, "%s%" PRIu64, i != 0 ? "," : "", m->sizes[i]);
	fputs("],\n", out);
}
