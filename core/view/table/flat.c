/*
 * Context: O.  Prints the flat profile for people, for prof's first screen:
 * lays out its columns so that they fit the terminal, then prints CPU time and
 * time asleep as two tables.
 */
#include "table/flat.h"

#include "base/name_text.h"
#include "base/sampling_error.h"
#include "heap/heap_columns.h"
#include "table/flat_label.h"

#include <inttypes.h>
#include <string.h>

#define FLAT_HOT	10	/* percent from which a line is highlighted */
#define FLAT_NUMBERS	17	/* columns of a share and seconds */
#define FLAT_INCLUSIVE	9	/* columns of the share with callees */
#define FLAT_INTERVAL	8	/* columns of the time since the table before */
#define FLAT_CALLS	8	/* least columns of calls */
#define FLAT_PER_CALL	12	/* columns of time for each call */
/* columns of CPU time by the kernel, which only threads have */
#define FLAT_CPU	8
#define FLAT_NARROWEST	8	/* least columns of a text on a terminal */
/*
 * most columns of a text that lines are padded to; longer texts in a pipe move
 * the rest of the line
 */
#define FLAT_WIDEST	48
/* bytes of a made text: numbers, and the whole name of a file */
#define FLAT_ROOM	320

/* All columns of text, from left to right. */
static const enum group_by flat_order[] = {
	GROUP_PROCESS, GROUP_PROGRAM, GROUP_THREAD, GROUP_MODE, GROUP_ADDRESS,
	GROUP_LINE, GROUP_FUNCTION, GROUP_FILE, GROUP_MODULE,
};

struct flat {
	const struct term *term;
	struct model *model;
	enum group_by column[GROUP_COUNT];
	int width[GROUP_COUNT];
	size_t columns;
	int decimals;
	bool cpu;	/* each line is a thread: its CPU time is shown, too */
	int calls;	/* width of the column of calls; 0 = not shown */
	bool inclusive;	/* the time of functions with callees is known */
	bool interval;	/* the time since the table before is known */
	bool error;
	bool heap;		/* the model holds allocations */
};

/*
 * A table by function also shows the module, and one by address also shows the
 * function.
 */
bool
flat_has_column(unsigned by, enum group_by column)
{
	if (column == GROUP_MODULE || column == GROUP_FUNCTION)
		return by >> column != 0;
	if (column == GROUP_PROCESS)
		by |= by >> (GROUP_THREAD - GROUP_PROCESS);
	return (by & 1u << column) != 0;
}

static int
flat_widest(struct flat *x, const struct group_line *lines, size_t count,
    enum group_by column)
{
	int widest = (int)strlen(flat_label_title(column));
	char room[FLAT_ROOM];

	for (size_t i = 0; i < count; i++) {
		int own = term_columns(flat_label(x->model, &lines[i], column,
		    room, sizeof(room)));

		if (own > widest)
			widest = own;
	}
	return widest < FLAT_WIDEST ? widest : FLAT_WIDEST;
}

/*
 * Makes a line fit on a terminal: makes the widest column of text narrower
 * until the line fits.
 */
static void
flat_fit(struct flat *x)
{
	int all = (x->heap ? heap_columns_width(x->model) : FLAT_NUMBERS) +
	    (x->inclusive ? FLAT_INCLUSIVE : 0) +
	    (x->interval ? FLAT_INTERVAL : 0) +
	    (x->calls == 0 ? 0 : x->calls + FLAT_PER_CALL) +
	    (x->cpu ? FLAT_CPU : 0) + (x->error ? SAMPLING_ERROR_COLUMNS : 0);

	for (size_t i = 0; i < x->columns; i++)
		all += x->width[i] + 2;
	if (x->term->width == 0)
		return;
	for (; all > x->term->width; all--) {
		size_t widest = 0;

		for (size_t i = 1; i < x->columns; i++)
			if (x->width[i] > x->width[widest])
				widest = i;
		if (x->width[widest] <= FLAT_NARROWEST)
			return;
		x->width[widest]--;
	}
}

/* Sets the width of the column of calls, which is shown if any were counted. */
static void
flat_measure_calls(struct flat *x, const struct group_line *lines,
    size_t count)
{
	bool counted = false;
	int widest = FLAT_CALLS;

	for (size_t i = 0; i < count; i++) {
		const int own = snprintf(NULL, 0, " %" PRIu64, lines[i].calls);

		widest = own > widest ? own : widest;
		counted |= lines[i].calls != 0;
	}
	x->calls = counted && !x->heap ? widest : 0;
}

static void
flat_lay_out(struct flat *x, const struct group_line *lines, size_t count,
    unsigned by, uint64_t total)
{
	x->columns = 0;
	for (size_t i = 0; i < GROUP_COUNT; i++) {
		enum group_by column = flat_order[i];

		if (!flat_has_column(by, column))
			continue;
		x->column[x->columns] = column;
		x->width[x->columns++] = flat_widest(x, lines, count, column);
	}
	flat_measure_calls(x, lines, count);
	flat_fit(x);
	/* With two decimals, single samples would not be visible below 10 s. */
	x->decimals = total < 10000000000u ? 3 : 2;
}

static void
flat_head(const struct flat *x)
{
	FILE *out = x->term->out;

	fputs(term_on(x->term, TERM_HEAD), out);
	if (x->heap)
		heap_columns_head(out, x->model, x->error);
	else
		fprintf(out, "%s%s%s%s%s", x->inclusive ? "  Self %" :
		    "  Time %", x->error ? "    +-" : "", x->inclusive ?
		    "  Total %   Self s" : "  Seconds", x->interval ?
		    "  Last s" : "", x->cpu ? " CPUtime" : "");
	if (x->calls != 0)
		fprintf(out, "%*s   msec/call", x->calls, "#Calls");
	fputs("  ", out);
	for (size_t i = 0; i < x->columns; i++)
		fprintf(out, "%-*s%s",
		    i + 1 < x->columns ? x->width[i] : 0,
		    flat_label_title(x->column[i]),
		    i + 1 < x->columns ? "  " : "");
	fprintf(out, "%s\n", term_off(x->term));
}

/*
 * Prints the columns of text, with blanks after a text only if another text
 * follows.
 */
static void
flat_texts(struct flat *x, const struct group_line *l)
{
	FILE *out = x->term->out;
	int owed = 0;

	for (size_t i = 0; i < x->columns; i++) {
		char room[FLAT_ROOM];
		const char *text = flat_label(x->model, l, x->column[i], room,
		    sizeof(room));
		int limit = x->term->width != 0 ? x->width[i] : 0;
		int used;

		if (*text == '\0') {
			owed += x->width[i] + 2;
			continue;
		}
		fprintf(out, "%*s", owed, "");
		used = x->column[i] == GROUP_FUNCTION ? name_text(x->term,
		    x->model, text, limit) : term_text(x->term, text, limit);
		owed = x->width[i] + 2 - used;
		if (owed < 2)
			owed = 2;
	}
	putc('\n', out);
}

static void
flat_cpu(const struct flat *x, const struct group_line *l)
{
	uint64_t ns;

	if (l->thread != MODEL_NONE &&
	    model_thread_cpu(&x->model->threads[l->thread], &ns))
		fprintf(x->term->out, "%*.*f", FLAT_CPU, x->decimals,
		    (double)ns / 1e9);
	else
		fprintf(x->term->out, "%*s", FLAT_CPU, "-");
}

/*
 * Prints calls and time for each call as prof(1) does: the more calls, the more
 * digits are significant.
 */
static void
flat_calls(const struct flat *x, const struct group_line *l)
{
	int decimals = 0;

	if (x->calls == 0 || l->calls == 0) {
		fprintf(x->term->out, "%*s", 2 + (x->calls == 0 ? 0 :
		    x->calls + FLAT_PER_CALL), "");
		return;
	}
	for (uint64_t n = l->calls; n >= 10 && decimals < 4; n /= 10)
		decimals++;
	fprintf(x->term->out, "%*" PRIu64 "%*.*f%*s", x->calls, l->calls,
	    decimals + 8, decimals, model_signed_time(x->model, l->ns) / 1e6 /
	    (double)l->calls,
	    6 - decimals, "");
}

/*
 * Returns whether lines are whole threads.  For a part of a thread the kernel
 * has no CPU time.
 */
static bool
flat_has_cpu(unsigned by)
{
	return by >> GROUP_THREAD == 1;
}

static double
flat_percent(const struct flat *x, uint64_t ns, uint64_t total)
{
	return total == 0 ? 0 : model_signed_time(x->model, ns) * 100 /
	    (double)total;
}

/* Prints the share and the time of a line, and what o asks for beside. */
static void
flat_time(struct flat *x, const struct group_line *l, uint64_t total,
    double percent)
{
	fprintf(x->term->out, "%8.1f", percent);
	if (x->error)
		sampling_error_put(x->term->out, x->model, l->ns, l->count,
		    total, l->mode == GROUP_SLEEP);
	if (x->inclusive)
		fprintf(x->term->out, "%9.1f", flat_percent(x, l->inclusive_ns,
		    total));
	fprintf(x->term->out, "%9.*f", x->decimals,
	    model_signed_time(x->model, l->ns) / 1e9);
	if (x->interval)
		fprintf(x->term->out, "%*.3f", FLAT_INTERVAL,
		    (double)l->last_ns / 1e9);
}

/*
 * Prints `count` lines with their head.  total: time of which they have shares.
 */
static void
flat_table(struct flat *x, const struct group_line *lines, size_t count,
    unsigned by, uint64_t total)
{
	flat_lay_out(x, lines, count, by, total);
	flat_head(x);
	for (size_t i = 0; i < count; i++) {
		double percent = flat_percent(x, lines[i].ns, total);
		bool hot = percent >= FLAT_HOT;

		fputs(hot ? term_on(x->term, TERM_HOT) : "", x->term->out);
		if (x->heap)
			heap_columns_put(x->term->out, x->model, &lines[i],
			    total, x->error);
		else
			flat_time(x, &lines[i], total, percent);
		fputs(hot ? term_off(x->term) : "", x->term->out);
		if (x->cpu)
			flat_cpu(x, &lines[i]);
		flat_calls(x, &lines[i]);
		flat_texts(x, &lines[i]);
	}
}

void
flat_print(const struct term *t, struct model *m, const struct group *g,
    const struct flat_options *o)
{
	struct flat x = {
		.term = t, .model = m, .cpu = flat_has_cpu(o->by),
		.error = o->error, .heap = model_is_heap(m),
		.inclusive = o->inclusive, .interval = o->interval,
	};

	if (!m->filter->asleep)
		flat_table(&x, g->lines, g->cpu_lines, o->by, g->total_ns);
	if (g->count == g->cpu_lines)
		return;
	x.cpu = false;
	fprintf(t->out, "%sAsleep (share of all time that threads slept):\n",
	    m->filter->asleep ? "" : "\n");
	flat_table(&x, g->lines + g->cpu_lines, g->count - g->cpu_lines,
	    o->by, g->total_sleep);
}
