/* Context: O.  What the moments of a process's heap say in short. */
#include "growthsum.h"

#include "order.h"
#include "term.h"
#include "unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES	5	/* more are not of interest at a glance */

/* Of the points from there on that are of one process. */
static struct growthsum
sum_from(const struct model *m, size_t from)
{
	const struct model_point *p = &m->points[from];
	struct growthsum s = {
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
by_peak(const void *left, const void *right)
{
	const struct growthsum *a = left, *b = right;
	const int d = order(b->process->heap_peak, a->process->heap_peak);

	return d != 0 ? d : order((uintptr_t)a->points, (uintptr_t)b->points);
}

static size_t
count_all(const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->point_count; i++)
		n += i == 0 || m->points[i].process != m->points[i - 1].process;
	return n;
}

struct growthsum *
growthsum_all(const struct model *m, size_t *count)
{
	struct growthsum *all = calloc(count_all(m) + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < m->point_count && all != NULL;
	    i += all[n++].count)
		all[n] = sum_from(m, i);
	if (n > 1)
		qsort(all, n, sizeof(*all), by_peak);
	*count = n;
	return all;
}

void
growthsum_who(FILE *out, const struct growthsum *s)
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
put_bytes(FILE *out, const char *before, uint64_t bytes)
{
	char room[UNIT_SCALED];

	fprintf(out, "%s%s", before, unit_bytes(bytes, room));
}

static void
put_when(FILE *out, const char *before, const struct model_point *p)
{
	fprintf(out, "%s%.3f s", before, (double)p->ns / 1e9);
}

static void
put_most(FILE *out, const struct growthsum *s)
{
	const uint64_t peak = s->process->heap_peak;
	char most[UNIT_SCALED], text[UNIT_SCALED];

	fprintf(out, "most %s of %zu moment%s: %s",
	    s->process->maps_alone ? "mapped" : "live", s->count,
	    s->count == 1 ? "" : "s", unit_bytes(s->most->live_bytes, most));
	put_when(out, " at ", s->most);
	if (peak > s->most->live_bytes &&
	    strcmp(unit_bytes(peak, text), most) != 0)
		fprintf(out, "; at the peak, which is none of them, %s", text);
	putc('\n', out);
}

/* What it grew by in the second half tells a leak from a start. */
static void
put_last(FILE *out, const struct growthsum *s)
{
	const uint64_t then = s->middle->live_bytes, now = s->last->live_bytes;

	put_bytes(out, "last: ", now);
	put_when(out, " at ", s->last);
	if (s->middle != s->last) {
		put_bytes(out, now < then ? ", -" : ", +",
		    now < then ? then - now : now - then);
		put_when(out, " since ", s->middle);
	}
	putc('\n', out);
}

void
growthsum_say(FILE *out, const struct growthsum *s)
{
	put_most(out, s);
	put_last(out, s);
	if (s->resident_most == 0)
		return;
	put_bytes(out, "resident: at most ", s->resident_most);
	put_bytes(out, ", last seen ", s->resident_last);
	putc('\n', out);
}

int
growthsum_say_all(FILE *out, const struct model *m)
{
	size_t count;
	struct growthsum *all = growthsum_all(m, &count);

	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count && i < PROCESSES; i++) {
		if (count > 1) {
			growthsum_who(out, &all[i]);
			putc('\n', out);
		}
		growthsum_say(out, &all[i]);
	}
	if (count > PROCESSES)
		fprintf(out, "and %zu more process%s: --heap=growth has "
		    "each\n", count - PROCESSES,
		    count - PROCESSES == 1 ? "" : "es");
	free(all);
	return 0;
}
