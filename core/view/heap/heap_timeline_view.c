/*
 * Context: O.  Prints the heap timeline, for prof --heap=growth; see
 * heap_timeline_view.h.
 */
#include "heap/heap_timeline_view.h"

#include "base/quantity.h"
#include "heap/heap_timeline_sum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define PROCESSES 10u	/* unless --top is used */
#define LINES	24u	/* most lines of a process */
#define BAR	40u	/* columns of the longest bar */

/* The scale of the bars of a timeline. */
struct bar_scale {
	uint64_t most;		/* bytes of the longest bar */
	bool resident;		/* dots go on to the resident memory */
};

/*
 * Returns the scale for some points.  Resident memory that is more than twice
 * the live bytes has no dots, because it would leave no room for their changes.
 */
static struct bar_scale
make_bar_scale(const struct model_point *p, size_t n)
{
	struct bar_scale scale = { .most = 1 };
	uint64_t resident = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i].live_bytes > scale.most)
			scale.most = p[i].live_bytes;
		if (p[i].resident_bytes > resident)
			resident = p[i].resident_bytes;
	}
	scale.resident = resident / 2 <= scale.most;
	if (scale.resident && resident > scale.most)
		scale.most = resident;
	return scale;
}

static unsigned
bar_columns(uint64_t bytes, uint64_t most)
{
	return (unsigned)((double)bytes * BAR / (double)most + 0.5);
}

static void
put_timeline_point(FILE *out, const struct model_point *p,
    const struct bar_scale *scale)
{
	const unsigned live = bar_columns(p->live_bytes, scale->most);
	const unsigned resident = !scale->resident ? 0 :
	    bar_columns(p->resident_bytes, scale->most);
	char room[QUANTITY_TEXT_ROOM];

	fprintf(out, "%10.3f %8s", (double)p->ns / 1e9,
	    quantity_format_bytes(p->live_bytes, room));
	fprintf(out, " %8s  ", p->resident_bytes == 0 ? "-" :
	    quantity_format_bytes(p->resident_bytes, room));
	for (unsigned i = 0; i < live; i++)
		putc('#', out);
	for (unsigned i = live; i < resident; i++)
		putc('.', out);
	putc('\n', out);
}

/*
 * Returns the point that stands for several in one line: the one with the most
 * live bytes, with the most resident memory of all, so that no peak is skipped.
 */
static struct model_point
highest_point(const struct model_point *p, size_t from, size_t to)
{
	struct model_point best = p[from];
	uint64_t resident = 0;

	for (size_t i = from; i < to; i++) {
		if (p[i].live_bytes > best.live_bytes)
			best = p[i];
		if (p[i].resident_bytes > resident)
			resident = p[i].resident_bytes;
	}
	best.resident_bytes = resident;
	return best;
}

/*
 * Prints the points in at most LINES lines.  Returns whether a line has no
 * resident memory.
 */
static bool
put_timeline_points(FILE *out, const struct model_point *p, size_t n,
    const struct bar_scale *scale)
{
	bool unread = false;
	const size_t lines = n < LINES ? n : LINES;

	for (size_t i = 0; i < lines; i++) {
		const struct model_point best = highest_point(p, i * n / lines,
		    (i + 1) * n / lines);

		put_timeline_point(out, &best, scale);
		unread |= best.resident_bytes == 0;
	}
	return unread;
}

static void
put_growth_process(const struct term *t, const struct heap_timeline_sum *s)
{
	const bool maps = s->process->maps_alone;
	const struct bar_scale scale = make_bar_scale(s->points, s->count);

	fputs(term_on(t, TERM_HEAD), t->out);
	heap_timeline_sum_process(t->out, s);
	fprintf(t->out, "\n   Seconds %s Resident  #: %s%s%s\n", maps ?
	    "  Mapped" : "    Live", maps ? "mapped" : "live",
	    scale.resident ? ", to the end of the dots: resident" : "",
	    term_off(t));
	if (put_timeline_points(t->out, s->points, s->count, &scale))
		fputs("-: resident memory was not read there\n", t->out);
	heap_timeline_sum_print(t->out, s);
}

int
heap_timeline_view_print(const struct term *t, const struct model *m,
    uint64_t top)
{
	const uint64_t most = top != 0 ? top : PROCESSES;
	size_t count;
	struct heap_timeline_sum *all = heap_timeline_sum_all(m, &count);

	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count && i < most; i++) {
		if (i != 0)
			putc('\n', t->out);
		put_growth_process(t, &all[i]);
	}
	if (count > most)
		fprintf(t->out, "\nand %" PRIu64 " more process%s, of less at "
		    "the peak: --top=N shows N\n", count - most,
		    count - most == 1 ? "" : "es");
	free(all);
	return 0;
}

/* Puts a number, or an empty field if it is not known. */
static void
put_optional_number(struct data_table *s, bool known, uint64_t n)
{
	if (known)
		data_table_number(s, "%" PRIu64, n);
	else
		data_table_text(s, NULL);
}

static void
put_timeline_row(struct data_table *s, const struct model_process *of,
    const struct model_point *p)
{
	data_table_text(s, of->program);
	data_table_number(s, "%d", (int)of->pid);
	data_table_number(s, "%.6f", (double)p->ns / 1e9);
	put_optional_number(s, !of->maps_alone, p->live_bytes);
	put_optional_number(s, p->resident_bytes != 0, p->resident_bytes);
	data_table_number(s, "%" PRIu32, of->image);
	put_optional_number(s, of->maps_alone, p->live_bytes);
}

void
heap_timeline_view_data(FILE *out, enum data_table_format form,
    const struct model *m)
{
	struct data_table s;

	data_table_init(&s, out, form);
	data_table_column(&s, "program");
	data_table_column(&s, "pid");
	data_table_column(&s, "seconds");
	data_table_column(&s, "live_bytes");
	data_table_column(&s, "resident_bytes");
	data_table_column(&s, "image");
	data_table_column(&s, "mapped_bytes");
	for (size_t i = 0; i < m->point_count; i++)
		put_timeline_row(&s, &m->processes[m->points[i].process],
		    &m->points[i]);
	data_table_end(&s);
}
