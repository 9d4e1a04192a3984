/*
 * Context: O.  Summarizes the heap timeline: the points of each process.  For
 * heap_summary.c and heap_timeline_view.c; see heap_timeline_sum.h.
 */
#include "heap/heap_timeline_sum.h"

#include "base/quantity.h"
#include "base/term.h"
#include "base/compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES	5	/* more processes are not listed in a summary */

/* Returns the summary of the process whose points begin at `from`. */
static struct heap_timeline_sum
summarize_points(const struct model *m, size_t from)
{
	const struct model_point *p = &m->points[from];
	struct heap_timeline_sum s = {
		.process = &m->processes[p->process], .points = p,
		.most = p, .middle = p,
	};

	while (from + s.count < m->point_count &&
	    p[s.count].process == p->process)
		s.count++;
	s.last = &p[s.count - 1];
	for (size_t i = 0; i < s.count; i++) {
		if (p[i].live_bytes > s.most->live_bytes)
			s.most = &p[i];
		if (p[i].ns - p->ns <= (s.last->ns - p->ns) / 2)
			s.middle = &p[i];
		if (p[i].resident_bytes > s.resident_most)
			s.resident_most = p[i].resident_bytes;
		if (p[i].resident_bytes != 0)
			s.resident_last = p[i].resident_bytes;
	}
	return s;
}

static int
compare_peaks(const void *left, const void *right)
{
	const struct heap_timeline_sum *a = left, *b = right;
	const int d = compare_u64(b->process->heap_peak, a->process->heap_peak);

	return d != 0 ? d : compare_u64((uintptr_t)a->points,
	    (uintptr_t)b->points);
}

static size_t
count_heap_processes(const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->point_count; i++)
		n += i == 0 || m->points[i].process != m->points[i - 1].process;
	return n;
}

struct heap_timeline_sum *
heap_timeline_sum_all(const struct model *m, size_t *count)
{
	struct heap_timeline_sum *all = calloc(count_heap_processes(m) + 1,
	    sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < m->point_count && all != NULL;
	    i += all[n++].count)
		all[n] = summarize_points(m, i);
	if (n > 1)
		qsort(all, n, sizeof(*all), compare_peaks);
	*count = n;
	return all;
}

void
heap_timeline_sum_process(FILE *out, const struct heap_timeline_sum *s)
{
	const struct model_process *p = s->process;
	const struct term t = { .out = out };

	term_text(&t, p->program, 0);
	fprintf(out, " [%" PRId32, p->pid);
	if (p->image > 1)
		fprintf(out, ":%" PRIu32, p->image);
	putc(']', out);
}

static void
put_timeline_bytes(FILE *out, const char *before, uint64_t bytes)
{
	char room[QUANTITY_TEXT_ROOM];

	fprintf(out, "%s%s", before, quantity_format_bytes(bytes, room));
}

static void
put_point_time(FILE *out, const char *before, const struct model_point *p)
{
	fprintf(out, "%s%.3f s", before, (double)p->ns / 1e9);
}

static void
put_highest_point(FILE *out, const struct heap_timeline_sum *s)
{
	const uint64_t peak = s->process->heap_peak;
	char most[QUANTITY_TEXT_ROOM], text[QUANTITY_TEXT_ROOM];

	fprintf(out, "most %s of %zu point%s: %s", s->process->maps_alone ?
	    "mapped" : "live", s->count, s->count == 1 ? "" : "s",
	    quantity_format_bytes(s->most->live_bytes, most));
	put_point_time(out, " at ", s->most);
	if (peak > s->most->live_bytes &&
	    strcmp(quantity_format_bytes(peak, text), most) != 0)
		fprintf(out, "; the peak, between them, was %s", text);
	putc('\n', out);
}

/*
 * Prints the last point and the growth in the second half of the time, which
 * tells a leak from the allocations of a start.
 */
static void
put_last_point(FILE *out, const struct heap_timeline_sum *s)
{
	const uint64_t then = s->middle->live_bytes, now = s->last->live_bytes;

	put_timeline_bytes(out, "last: ", now);
	put_point_time(out, " at ", s->last);
	if (s->middle != s->last) {
		put_timeline_bytes(out, now < then ? ", -" : ", +",
		    now < then ? then - now : now - then);
		put_point_time(out, " since ", s->middle);
	}
	putc('\n', out);
}

void
heap_timeline_sum_print(FILE *out, const struct heap_timeline_sum *s)
{
	put_highest_point(out, s);
	put_last_point(out, s);
	if (s->resident_most == 0)
		return;
	put_timeline_bytes(out, "resident: at most ", s->resident_most);
	put_timeline_bytes(out, ", last seen ", s->resident_last);
	putc('\n', out);
}

int
heap_timeline_sum_print_all(FILE *out, const struct model *m)
{
	size_t count;
	struct heap_timeline_sum *all = heap_timeline_sum_all(m, &count);

	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count && i < PROCESSES; i++) {
		if (count > 1) {
			heap_timeline_sum_process(out, &all[i]);
			putc('\n', out);
		}
		heap_timeline_sum_print(out, &all[i]);
	}
	if (count > PROCESSES)
		fprintf(out, "and %zu more process%s: --heap=growth has "
		    "each\n", count - PROCESSES,
		    count - PROCESSES == 1 ? "" : "es");
	free(all);
	return 0;
}
