/* Context: O.  What was allocated, as columns of the flat profile. */
#include "heapcells.h"

#include <inttypes.h>

/* In powers of 1024, three digits and more: "999", "1023K", "9.77M". */
static const char *
scaled(uint64_t bytes, char *room, size_t size)
{
	static const char units[] = "KMGTPE";
	double n = (double)bytes;
	size_t i = 0;

	if (bytes < 10000) {
		snprintf(room, size, "%" PRIu64, bytes);
		return room;
	}
	for (n /= 1024; n >= 1000 && units[i + 1] != '\0'; i++)
		n /= 1024;
	snprintf(room, size, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n,
	    units[i]);
	return room;
}

static void
put_bytes(FILE *out, uint64_t bytes)
{
	char room[24];

	fprintf(out, "%8s", scaled(bytes, room, sizeof(room)));
}

void
heapcells_head(FILE *out)
{
	fputs(" %Peak    Peak    Live   Total  Blocks    Temp", out);
}

void
heapcells_put(FILE *out, const struct group_line *l, uint64_t total)
{
	const struct model_heap *h = &l->heap;

	fprintf(out, "%6.1f", total == 0 ? 0 :
	    (double)h->peak_bytes * 100 / (double)total);
	put_bytes(out, h->peak_bytes);
	put_bytes(out, h->live_bytes);
	put_bytes(out, h->total_bytes);
	fprintf(out, "%8" PRIu64 "%8" PRIu64, h->total_blocks,
	    h->temporary_blocks);
}

void
heapcells_columns(struct sheet *s)
{
	sheet_column(s, "live_bytes");
	sheet_column(s, "live_blocks");
	sheet_column(s, "peak_bytes");
	sheet_column(s, "total_bytes");
	sheet_column(s, "total_blocks");
	sheet_column(s, "freed_bytes");
	sheet_column(s, "temporary_blocks");
}

void
heapcells_sheet(struct sheet *s, const struct group_line *l)
{
	const struct model_heap *h = &l->heap;

	sheet_number(s, "%" PRIu64, h->live_bytes);
	sheet_number(s, "%" PRIu64, h->live_blocks);
	sheet_number(s, "%" PRIu64, h->peak_bytes);
	sheet_number(s, "%" PRIu64, h->total_bytes);
	sheet_number(s, "%" PRIu64, h->total_blocks);
	sheet_number(s, "%" PRIu64, h->freed_bytes);
	sheet_number(s, "%" PRIu64, h->temporary_blocks);
}

static void
put_sum(FILE *out, const char *before, uint64_t bytes)
{
	char room[24];

	fprintf(out, "%s%s", before, scaled(bytes, room, sizeof(room)));
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void
heapcells_foot(const struct term *t, const struct model *m,
    const struct group *g)
{
	struct model_heap all = { 0 };
	FILE *out = t->out;

	for (size_t i = 0; i < m->row_count; i++)
		model_sum_heap(&all, model_heap(m, &m->rows[i]));
	fprintf(out, "\n%s", term_on(t, TERM_DIM));
	if (g->hidden != 0)
		fprintf(out, "%zu more line%s not shown\n", g->hidden,
		    plural(g->hidden));
	if (m->heap_files == 0) {
		fputs("no allocation was counted: PROFOPTS=mode=heap counts "
		    "them\n", out);
		return;
	}
	fprintf(out, "%zu file%s of %zu", m->heap_files,
	    plural(m->heap_files), m->files - m->files_foreign);
	put_sum(out, "; bytes given out: ", all.total_bytes);
	fprintf(out, " in %" PRIu64 " block%s (%" PRIu64 " temporary)",
	    all.total_blocks, plural(all.total_blocks), all.temporary_blocks);
	put_sum(out, m->heap_files == 1 ? "\nat the peak: " :
	    "\nat the peak of each process, together: ", all.peak_bytes);
	put_sum(out, "; live at the end, or now: ", all.live_bytes);
	fprintf(out, " in %" PRIu64 " block%s\n", all.live_blocks,
	    plural(all.live_blocks));
	if (m->unknown_frees != 0)
		fprintf(out, "freed, but not known (of before the start, or of "
		    "a parent): %" PRIu64 " block%s\n", m->unknown_frees,
		    plural(m->unknown_frees));
	if (m->missed_ends != 0)
		fprintf(out, "given out again, though nobody saw them freed: "
		    "%" PRIu64 " block%s\n", m->missed_ends,
		    plural(m->missed_ends));
}
