/*
 * Context: O.  Prints the flat profile for people: lays out its columns so that
 * they fit the terminal, then prints CPU time and time asleep as two tables.
 */
#include "table/flat.h"

#include "base/sampling_error.h"
#include "heap/heap_columns.h"

#include <inttypes.h>
#include <string.h>

#define FLAT_HOT	10	/* percent from which a line is highlighted */
#define FLAT_NUMBERS	22	/* columns of shares and seconds */
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

static const char *
label_process(const struct model *m, uint32_t process, char *room, size_t bytes)
{
	const struct model_process *p;

	if (process == MODEL_NONE)
		return "-";
	p = &m->processes[process];
	if (p->image > 1)
		snprintf(room, bytes, "%" PRId32 ":%" PRIu32 " %s", p->pid,
		    p->image, p->program);
	else
		snprintf(room, bytes, "%" PRId32 " %s", p->pid, p->program);
	return room;
}

static const char *
label_thread(const struct model *m, uint32_t thread, char *room, size_t bytes)
{
	const struct format_thread *t;

	if (thread == MODEL_NONE)
		return "[not sampled]";
	t = &m->threads[thread].thread;
	if ((t->flags & FORMAT_T_POOL) != 0)
		snprintf(room, bytes, "%" PRIu64 " threads", t->members);
	else
		snprintf(room, bytes, "%" PRId32 " %.*s", t->tid,
		    (int)sizeof(t->name), t->name);
	return room;
}

static const char *
label_line(const struct model *m, const struct group_line *l, char *room,
    size_t bytes)
{
	if (l->file == MODEL_NONE)
		return "-";
	if (l->line == 0)	/* no line in particular */
		snprintf(room, bytes, "%s:?", m->sources.shown[l->file]);
	else
		snprintf(room, bytes, "%s:%" PRIu32,
		    m->sources.shown[l->file], l->line);
	return room;
}

const char *
flat_label(struct model *m, const struct group_line *l, enum group_by column,
    char *room, size_t bytes)
{
	const char *name;

	switch (column) {
	case GROUP_PROCESS:
		return label_process(m, l->process, room, bytes);
	case GROUP_PROGRAM:
		return l->program != NULL ? l->program : "-";
	case GROUP_THREAD:
		return label_thread(m, l->thread, room, bytes);
	case GROUP_MODE:
		return group_mode_name(l->mode);
	case GROUP_MODULE:
		return model_module_name(m, l->module);
	case GROUP_FILE:
		return l->file != MODEL_NONE ? m->sources.paths.all[l->file] :
		    "-";
	case GROUP_LINE:
		return label_line(m, l, room, bytes);
	case GROUP_FUNCTION:
		name = model_function_name(m, l->function);
		return name != NULL ? name : "?";
	default:
		if (l->address == 0)
			return "-";
		snprintf(room, bytes, "%#" PRIx64, l->address);
		return room;
	}
}

/* Columns of text, from left to right. */
static const enum group_by flat_order[] = {
	GROUP_PROCESS, GROUP_PROGRAM, GROUP_THREAD, GROUP_MODE, GROUP_ADDRESS,
	GROUP_LINE, GROUP_FUNCTION, GROUP_FILE, GROUP_MODULE,
};

static const char *const flat_title[GROUP_COUNT] = {
	[GROUP_PROCESS] = "Process",
	[GROUP_PROGRAM] = "Program",
	[GROUP_THREAD] = "Thread",
	[GROUP_MODE] = "Mode",
	[GROUP_MODULE] = "Module",
	[GROUP_FILE] = "File",
	[GROUP_FUNCTION] = "Name",
	[GROUP_LINE] = "Line",
	[GROUP_ADDRESS] = "Address",
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
	bool counted;		/* some line has counted calls */
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
	int widest = (int)strlen(flat_title[column]);
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
 * Makes a line fit on a terminal: empty columns of calls are dropped, then the
 * widest column of text is made narrower until the line fits.
 */
static void
flat_fit(struct flat *x)
{
	int calls = x->calls == 0 ? 0 : x->calls + FLAT_PER_CALL;
	int all = (x->heap ? heap_columns_width(x->model) :
	    FLAT_NUMBERS) + calls + (x->cpu ? FLAT_CPU : 0) + (x->error ?
	    SAMPLING_ERROR_COLUMNS : 0);

	for (size_t i = 0; i < x->columns; i++)
		all += x->width[i] + 2;
	if (x->term->width == 0)
		return;
	/* Empty columns are only for the look of the classic prof. */
	if (all > x->term->width && !x->counted) {
		all -= calls;
		x->calls = 0;
	}
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

static void
flat_measure_calls(struct flat *x, const struct group_line *lines,
    size_t count)
{
	x->counted = false;
	x->calls = x->heap ? 0 : FLAT_CALLS;
	if (x->heap)
		return;
	for (size_t i = 0; i < count; i++) {
		int own = snprintf(NULL, 0, " %" PRIu64, lines[i].calls);

		if (own > x->calls)
			x->calls = own;
		x->counted |= lines[i].calls != 0;
	}
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
	/* With two decimals, single ticks would not be visible below 10 s. */
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
		fprintf(out, " %%Time%s Seconds Cumsecs%s", x->error ?
		    "    +-" : "", x->cpu ? " CPUtime" : "");
	if (x->calls != 0)
		fprintf(out, "%*s   msec/call", x->calls, "#Calls");
	fputs("  ", out);
	for (size_t i = 0; i < x->columns; i++)
		fprintf(out, "%-*s%s",
		    i + 1 < x->columns ? x->width[i] : 0,
		    flat_title[x->column[i]], i + 1 < x->columns ? "  " : "");
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

		if (*text == '\0') {
			owed += x->width[i] + 2;
			continue;
		}
		fprintf(out, "%*s", owed, "");
		owed = x->width[i] + 2 - term_text(x->term, text, limit);
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

static void
flat_time(struct flat *x, const struct group_line *l, uint64_t total,
    double percent, double *sum)
{
	const double seconds = model_signed_time(x->model, l->ns) / 1e9;

	*sum += seconds;
	fprintf(x->term->out, "%6.1f", percent);
	if (x->error)
		sampling_error_put(x->term->out, x->model, l->ns, l->count,
		    total, l->mode == GROUP_SLEEP);
	fprintf(x->term->out, "%8.*f%8.*f", x->decimals, seconds, x->decimals,
	    *sum);
}

static void
flat_table(struct flat *x, const struct group_line *lines, size_t count,
    unsigned by, uint64_t total)
{
	double sum = 0;

	flat_lay_out(x, lines, count, by, total);
	flat_head(x);
	for (size_t i = 0; i < count; i++) {
		double percent = total == 0 ? 0 : model_signed_time(x->model,
		    lines[i].ns) * 100 / (double)total;
		bool hot = percent >= FLAT_HOT;

		fputs(hot ? term_on(x->term, TERM_HOT) : "", x->term->out);
		if (x->heap)
			heap_columns_put(x->term->out, x->model, &lines[i],
			    total, x->error);
		else
			flat_time(x, &lines[i], total, percent, &sum);
		fputs(hot ? term_off(x->term) : "", x->term->out);
		if (x->cpu)
			flat_cpu(x, &lines[i]);
		flat_calls(x, &lines[i]);
		flat_texts(x, &lines[i]);
	}
}

void
flat_print(const struct term *t, struct model *m, const struct group *g,
    unsigned by, bool error)
{
	struct flat x = {
		.term = t, .model = m, .cpu = flat_has_cpu(by), .error = error,
		.heap = model_is_heap(m),
	};

	flat_table(&x, g->lines, g->cpu_lines, by, g->total_ns);
	if (g->count == g->cpu_lines)
		return;
	x.cpu = false;
	fprintf(t->out, "\nAsleep (share of all time that threads slept):\n");
	flat_table(&x, g->lines + g->cpu_lines, g->count - g->cpu_lines, by,
	    g->total_sleep);
}
