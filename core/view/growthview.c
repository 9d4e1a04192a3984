/* Context: O.  How the heap grew; see growthview.h. */
#include "growthview.h"

#include "growthsum.h"
#include "unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define PROCESSES 10u	/* unless --top says */
#define LINES	24u	/* of a process, at the most */
#define BAR	40u	/* columns of the longest */

static uint64_t
most_of(const struct model_point *p, size_t n)
{
	uint64_t most = 1;

	for (size_t i = 0; i < n; i++) {
		if (p[i].live_bytes > most)
			most = p[i].live_bytes;
		if (p[i].resident_bytes > most)
			most = p[i].resident_bytes;
	}
	return most;
}

static unsigned
columns(uint64_t bytes, uint64_t most)
{
	return (unsigned)((double)bytes * BAR / (double)most + 0.5);
}

static void
put_point(FILE *out, const struct model_point *p, uint64_t most)
{
	const unsigned live = columns(p->live_bytes, most);
	const unsigned resident = columns(p->resident_bytes, most);
	char room[UNIT_SCALED];

	fprintf(out, "%10.3f %8s", (double)p->ns / 1e9,
	    unit_bytes(p->live_bytes, room));
	fprintf(out, " %8s  ", p->resident_bytes == 0 ? "-" :
	    unit_bytes(p->resident_bytes, room));
	for (unsigned i = 0; i < live; i++)
		putc('#', out);
	for (unsigned i = live; i < resident; i++)
		putc('.', out);
	putc('\n', out);
}

/* Of several in a line that with most, of either: no peak is passed over. */
static struct model_point
highest(const struct model_point *p, size_t from, size_t to)
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

static void
put_points(FILE *out, const struct model_point *p, size_t n)
{
	const uint64_t most = most_of(p, n);
	const size_t lines = n < LINES ? n : LINES;

	for (size_t i = 0; i < lines; i++) {
		const struct model_point best = highest(p, i * n / lines,
		    (i + 1) * n / lines);

		put_point(out, &best, most);
	}
}

static void
put_process(const struct term *t, const struct growthsum *s)
{
	const bool maps = s->process->maps_alone;

	fputs(term_on(t, TERM_HEAD), t->out);
	growthsum_who(t->out, s);
	fprintf(t->out, "\n   Seconds %s Resident  #: %s, to the end of "
	    "the dots: resident%s\n", maps ? "  Mapped" : "    Live",
	    maps ? "mapped" : "live", term_off(t));
	put_points(t->out, s->points, s->count);
	growthsum_say(t->out, s);
}

int
growthview_print(const struct term *t, const struct model *m, uint64_t top)
{
	const uint64_t most = top != 0 ? top : PROCESSES;
	size_t count;
	struct growthsum *all = growthsum_all(m, &count);

	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count && i < most; i++) {
		if (i != 0)
			putc('\n', t->out);
		put_process(t, &all[i]);
	}
	if (count > most)
		fprintf(t->out, "\nand %" PRIu64 " more process%s, of less at "
		    "the peak: --top=N shows N\n", count - most,
		    count - most == 1 ? "" : "es");
	free(all);
	return 0;
}

static void
put_number(struct sheet *s, bool known, uint64_t n)
{
	if (known)
		sheet_number(s, "%" PRIu64, n);
	else
		sheet_text(s, NULL);
}

static void
put_row(struct sheet *s, const struct model_process *of,
    const struct model_point *p)
{
	sheet_text(s, of->program);
	sheet_number(s, "%d", (int)of->pid);
	sheet_number(s, "%.6f", (double)p->ns / 1e9);
	put_number(s, !of->maps_alone, p->live_bytes);
	put_number(s, p->resident_bytes != 0, p->resident_bytes);
	sheet_number(s, "%" PRIu32, of->image);
	put_number(s, of->maps_alone, p->live_bytes);
}

void
growthview_sheet(FILE *out, enum sheet_form form, const struct model *m)
{
	struct sheet s;

	sheet_init(&s, out, form);
	sheet_column(&s, "program");
	sheet_column(&s, "pid");
	sheet_column(&s, "seconds");
	sheet_column(&s, "live_bytes");
	sheet_column(&s, "resident_bytes");
	sheet_column(&s, "image");
	sheet_column(&s, "mapped_bytes");
	for (size_t i = 0; i < m->point_count; i++)
		put_row(&s, &m->processes[m->points[i].process],
		    &m->points[i]);
	sheet_end(&s);
}
