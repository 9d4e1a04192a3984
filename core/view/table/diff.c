/*
 * Context: O.  Compares two profiles line by line, and tells changes from
 * noise.
 *
 * Counts of samples are taken as Poisson distributed: the standard deviation of
 * n samples is the square root of n, and that of a change is the root of the
 * sum of both squares.  Other differences from run to run are not included.
 * Allocations that were all counted have no error: any change of them is real.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "table/diff.h"

#include "base/compare.h"
#include "table/flat.h"
#include "base/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns from left to right. */
static const enum group_by diff_order[] = {
	GROUP_PROCESS, GROUP_PROGRAM, GROUP_THREAD, GROUP_MODE, GROUP_ADDRESS,
	GROUP_LINE, GROUP_FUNCTION, GROUP_FILE, GROUP_MODULE,
};

/*
 * Returns the text of a line in a column.  Processes and threads are named
 * without their numbers, which differ in each run.
 */
static const char *
diff_label(struct model *m, const struct group_line *l, enum group_by column,
    char *room, size_t bytes)
{
	if (column == GROUP_PROCESS)
		return l->process == MODEL_NONE ? "-" :
		    m->processes[l->process].program;
	if (column == GROUP_THREAD && l->thread != MODEL_NONE) {
		const struct format_thread *t = &m->threads[l->thread].thread;

		snprintf(room, bytes, "%.*s", (int)sizeof(t->name), t->name);
		return room;
	}
	/* The path is left out: another build may be at another path. */
	if (column == GROUP_MODULE)
		return m->modules[l->module].name;
	return flat_label(m, l, column, room, bytes);
}

/*
 * Returns the text by which lines of both profiles are matched.  The shown name
 * of a function may be shortened differently in each profile, so its stored
 * name is used; but files of other profilers store the names as they are shown.
 */
static const char *
diff_key_text(const struct diff *d, struct model *m, const struct group_line *l,
    enum group_by column, const char *text)
{
	return column == GROUP_FUNCTION && !d->spoken &&
	    m->functions[l->function].named ?
	    m->functions[l->function].name : text;
}

/*
 * Returns the line with that key, which is a copy of *l if it is new; NULL if
 * memory is out.
 */
static struct diff_line *
find_diff_line(struct diff *d, struct model *m, const struct diff_line *l,
    const char *key, size_t bytes)
{
	const size_t before = d->keys.count;
	const char *kept = arena_copy(&m->arena, key, bytes);
	uint32_t n;

	n = kept == NULL ? UINT32_MAX : string_pool_add(&d->keys, kept);
	if (n == UINT32_MAX || vector_grow(&d->lines, n, &d->room,
	    sizeof(*d->lines)) != 0)
		return NULL;
	if (d->keys.count != before) {
		d->lines[n] = *l;
		d->count++;
	}
	return &d->lines[n];
}

static int
add_diff_line(struct diff *d, struct model *const m[2],
    const struct group_line *l, unsigned which)
{
	struct diff_line new = {
		.sleep = l->mode == GROUP_SLEEP, .sampled = true,
	}, *own = NULL;
	char room[320], *key = NULL;
	size_t bytes;
	FILE *to = open_memstream(&key, &bytes);
	bool good = to != NULL;

	if (!good)
		return -ENOMEM;
	fprintf(to, "%d", new.sleep);
	for (size_t i = 0; i < d->column_count; i++) {
		const char *text = diff_label(m[which], l, d->columns[i], room,
		    sizeof(room));

		new.texts[i] = arena_copy(&m[0]->arena, text, strlen(text));
		good &= new.texts[i] != NULL;
		fprintf(to, "\037%s", diff_key_text(d, m[which], l,
		    d->columns[i], text));
	}
	good &= fclose(to) == 0;
	if (good)
		own = find_diff_line(d, m[0], &new, key, bytes);
	free(key);
	if (own == NULL)
		return -ENOMEM;
	own->ns[which] += l->ns;
	own->count[which] += l->count;
	own->sampled &= l->ns == 0 || l->count != 0;
	return 0;
}

static double
squared_error(uint64_t ns, uint64_t count)
{
	return count == 0 ? 0 : (double)ns * (double)ns / (double)count;
}

static double
diff_change(const struct diff_line *l)
{
	return (double)l->ns[1] - (double)l->ns[0];
}

static int
compare_diff_lines(const void *left, const void *right, void *columns)
{
	const struct diff_line *a = left, *b = right;
	const double x = fabs(diff_change(a)), y = fabs(diff_change(b));
	int d = compare_u64(a->sleep, b->sleep);

	if (d == 0)
		d = x > y ? -1 : x < y;
	for (size_t i = 0; i < *(const size_t *)columns && d == 0; i++)
		d = strcmp(a->texts[i], b->texts[i]);
	return d;
}

/*
 * Chooses the columns.  A table by function also has the module, unless one of
 * the files does not tell modules: then no line would match.
 */
static void
choose_diff_columns(struct diff *d, struct model *const m[2], unsigned by)
{
	const bool moduleless = m[0]->moduleless || m[1]->moduleless;

	for (size_t i = 0; i < sizeof(diff_order) / sizeof(diff_order[0]);
	    i++) {
		const enum group_by c = diff_order[i];

		if (flat_has_column(by, c) && !(c == GROUP_PROGRAM &&
		    flat_has_column(by, GROUP_PROCESS)) &&
		    !(c == GROUP_MODULE && moduleless &&
		    (by & 1u << GROUP_MODULE) == 0))
			d->columns[d->column_count++] = c;
	}
}

int
diff_make(struct diff *d, struct model *const m[2], const struct group g[2],
    unsigned by)
{
	double squares = 0;
	int ret = 0;

	memset(d, 0, sizeof(*d));
	d->spoken = m[0]->import_count != 0 || m[1]->import_count != 0;
	d->exact = model_is_heap(m[1]) && !model_is_sampled(m[0]) &&
	    !model_is_sampled(m[1]);
	d->unit = quantity_of(m[1], 0);
	choose_diff_columns(d, m, by);
	for (unsigned which = 0; which < 2; which++) {
		d->total[which] = g[which].total_ns;
		for (size_t i = 0; i < g[which].count && ret == 0; i++)
			ret = add_diff_line(d, m, &g[which].lines[i], which);
	}
	for (size_t i = 0; i < d->count; i++) {
		struct diff_line *l = &d->lines[i];

		l->error = d->exact ? 0 : sqrt(
		    m[0]->clump * squared_error(l->ns[0], l->count[0]) +
		    m[1]->clump * squared_error(l->ns[1], l->count[1]));
		squares += l->sleep ? 0 : l->error * l->error;
	}
	d->error = sqrt(squares);
	if (d->count > 1)
		qsort_r(d->lines, d->count, sizeof(*d->lines),
		    compare_diff_lines, &d->column_count);
	return ret;
}

void
diff_free(struct diff *d)
{
	free(d->lines);
	string_pool_free(&d->keys);
	memset(d, 0, sizeof(*d));
}

enum diff_verdict
diff_verdict(const struct diff_line *l)
{
	if (!l->sampled)
		return DIFF_UNKNOWN;
	return fabs(diff_change(l)) > DIFF_SURE * l->error ? DIFF_CHANGE :
	    DIFF_NOISE;
}

static const char *const verdict_text[] = {
	[DIFF_UNKNOWN] = "-",
	[DIFF_NOISE] = "noise",
	[DIFF_CHANGE] = "yes",
};

static uint64_t
diff_line_error(const struct diff_line *l)
{
	/* Numbers in forged files can overflow. */
	return l->error < 9e18 ? (uint64_t)llround(l->error) : UINT64_MAX;
}

static void
put_diff_numbers(const struct term *t, const struct diff *d,
    const struct diff_line *l)
{
	quantity_put_change(t->out, &d->unit, 9, l->ns[0], l->ns[1]);
	if (!d->exact)
		putc(' ', t->out);
	if (!d->exact && l->sampled)
		quantity_put(t->out, &d->unit, 8, diff_line_error(l));
	else if (!d->exact)
		fprintf(t->out, "%8s", "-");
	for (unsigned i = 0; i < 2; i++) {
		putc(' ', t->out);
		quantity_put(t->out, &d->unit, 8, l->ns[i]);
	}
	if (!d->exact)
		fprintf(t->out, "  %-6s", verdict_text[diff_verdict(l)]);
}

static void
put_diff_line(const struct term *t, const struct diff *d,
    const struct diff_line *l)
{
	const bool sure = !d->exact && diff_verdict(l) == DIFF_CHANGE;

	fputs(sure ? term_on(t, TERM_HOT) : "", t->out);
	put_diff_numbers(t, d, l);
	fputs(sure ? term_off(t) : "", t->out);
	for (size_t i = 0; i < d->column_count; i++) {
		fputs("  ", t->out);
		term_text(t, l->texts[i], 0);
	}
	putc('\n', t->out);
}

static void
put_diff_head(const struct term *t, const struct diff *d)
{
	static const char *const titles[GROUP_COUNT] = {
		[GROUP_PROCESS] = "Program",
		[GROUP_PROGRAM] = "Program",
		[GROUP_THREAD] = "Thread",
		[GROUP_MODE] = "Mode",
		[GROUP_MODULE] = "Module",
		[GROUP_FILE] = "File",
		[GROUP_FUNCTION] = "Name",
		[GROUP_LINE] = "Line",
		[GROUP_ADDRESS] = "Address",
	};

	fprintf(t->out, "%s   Change%s   Before      Now%s", term_on(t,
	    TERM_HEAD), d->exact ? "" : "      +-", d->exact ? "" :
	    "  Sure  ");
	for (size_t i = 0; i < d->column_count; i++)
		fprintf(t->out, "  %s", titles[d->columns[i]]);
	fprintf(t->out, "%s\n", term_off(t));
}

static void
put_diff_sum(const struct term *t, const struct diff *d)
{
	const bool time = d->unit.measure == METRIC_TIME;
	const char *unit = time ? " s" : "";
	const double by = (double)d->total[1] - (double)d->total[0];

	fprintf(t->out, "\n%s: ", time ? "CPU time" :
	    metric_description(d->unit.measure));
	quantity_put(t->out, &d->unit, 0, d->total[0]);
	fprintf(t->out, "%s before, ", unit);
	quantity_put(t->out, &d->unit, 0, d->total[1]);
	fprintf(t->out, "%s now: ", unit);
	quantity_put_change(t->out, &d->unit, 0, d->total[0], d->total[1]);
	fputs(unit, t->out);
	if (d->total[0] != 0)
		fprintf(t->out, " (%+.1f %%)", by * 100 /
		    (double)d->total[0]);
	if (d->exact)
		putc('\n', t->out);
	else
		fprintf(t->out, "\nnoise: less than %g standard deviations of "
		    "the samples, which do not include differences from run to "
		    "run\n", DIFF_SURE);
}

void
diff_print(const struct term *t, const struct diff *d,
    const struct diff_options *o)
{
	const uint64_t most = d->total[d->total[1] > d->total[0]];
	size_t shown = 0, hidden = 0, same = 0;
	bool asleep = false;

	put_diff_head(t, d);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_line *l = &d->lines[i];
		const double larger = fmax((double)l->ns[0], (double)l->ns[1]);

		if (d->exact && l->ns[0] == l->ns[1]) {
			same++;
			continue;
		}
		if ((o->top != 0 && shown >= o->top) ||
		    (!l->sleep && larger * 100 < o->least * (double)most)) {
			hidden++;
			continue;
		}
		if (l->sleep && !asleep)
			fputs("\nAsleep:\n", t->out);
		asleep = l->sleep;
		shown++;
		put_diff_line(t, d, l);
	}
	if (hidden != 0)
		fprintf(t->out, "\nnot shown: %zu line%s (%s)\n", hidden,
		    hidden == 1 ? "" : "s", o->top != 0 ?
		    "--top shows so many" : "--min=0 shows all");
	if (same != 0)
		fprintf(t->out, "%sunchanged: %zu line%s\n",
		    hidden != 0 ? "" : "\n", same, same == 1 ? "" : "s");
	put_diff_sum(t, d);
}

static void
put_diff_fields(struct data_table *s, const struct diff *d,
    const struct diff_line *l)
{
	for (size_t i = 0; i < d->column_count; i++)
		data_table_text(s, l->texts[i]);
	quantity_field(s, &d->unit, l->ns[0]);
	quantity_field(s, &d->unit, l->ns[1]);
	quantity_field_change(s, &d->unit, l->ns[0], l->ns[1]);
	if (d->exact)
		return;
	if (l->sampled)
		quantity_field(s, &d->unit, diff_line_error(l));
	else
		data_table_text(s, NULL);
	data_table_text(s, verdict_text[diff_verdict(l)]);
	if (d->unit.measure == METRIC_TIME)
		data_table_text(s, l->sleep ? "sleep" : "cpu");
}

void
diff_data(FILE *out, enum data_table_format form, const struct diff *d)
{
	static const char *const numbers[] = { "before_", "now_", "change_" };
	char room[4][QUANTITY_NAME_ROOM];
	struct data_table s;

	data_table_init(&s, out, form);
	for (size_t i = 0; i < d->column_count; i++)
		data_table_column(&s, group_by_name(d->columns[i]));
	for (size_t i = 0; i < 3; i++)
		data_table_column(&s, quantity_column(&d->unit, numbers[i],
		    room[i]));
	if (!d->exact) {
		data_table_column(&s, quantity_column(&d->unit, "error_",
		    room[3]));
		data_table_column(&s, "sure");
	}
	if (d->unit.measure == METRIC_TIME)
		data_table_column(&s, "mode");
	for (size_t i = 0; i < d->count; i++)
		put_diff_fields(&s, d, &d->lines[i]);
	data_table_end(&s);
}
