/*
 * Context: O.  Compares runs line by line, and tells changes from noise.
 * cmd/prof/prof_diff.c calls diff_make() and diff_growth(), the printers of
 * this folder the rest; see diff.h.
 *
 * One run may have done less work than the other: then all its seconds shrink.
 * Or one function became faster: then the shares of all others grow.  A change
 * is called sure only if it is sure in both measures, and in one direction.
 * Allocations that were all counted have no error: any change of them is real.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "diff/diff.h"

#include "base/compare.h"
#include "base/vector.h"
#include "table/flat.h"
#include "table/flat_label.h"

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
diff_label(const struct diff *d, struct model *m, const struct group_line *l,
    enum group_by column, char *room, size_t bytes)
{
	if (column == GROUP_PROCESS)
		return l->process == MODEL_NONE ? "-" :
		    common_names_program(&d->names,
		    m->processes[l->process].program);
	if (column == GROUP_PROGRAM && l->program != NULL)
		return common_names_program(&d->names, l->program);
	if (column == GROUP_THREAD && l->thread != MODEL_NONE) {
		const struct format_thread *t = &m->threads[l->thread].thread;

		snprintf(room, bytes, "%.*s", (int)sizeof(t->name), t->name);
		return room;
	}
	/* The path is left out: another build may be at another path. */
	if (column == GROUP_MODULE)
		return common_names_module(&d->names, m, l->module);
	return flat_label(m, l, column, room, bytes);
}

/* Returns the line with that key, a copy of *l if it is new; NULL: no room. */
static struct diff_line *
find_diff_line(struct diff *d, const struct diff_line *l, const char *key,
    size_t bytes)
{
	const size_t before = d->keys.count;
	const char *kept = arena_copy(&d->texts, key, bytes);
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

/*
 * Sets the text of a line in a column, by its number, and writes to `key` the
 * text by which lines of all runs are matched.  Returns 0 or -ENOMEM.
 */
static int
set_diff_text(struct diff *d, struct model *m, const struct group_line *l,
    size_t number, struct diff_line *new, FILE *key)
{
	const enum group_by column = d->columns[number];
	char room[320];
	const char *text = NULL, *match;

	if (l->function == MODEL_NONE || (column != GROUP_FUNCTION &&
	    (column <= GROUP_MODULE ||
	    !common_names_is_joined(&d->names, m, l->function))))
		match = text = diff_label(d, m, l, column, room,
		    sizeof(room));
	else if (column == GROUP_FUNCTION)
		match = common_names_function(&d->names, m, l->function,
		    &text);
	else
		match = text = "-";
	if (match == NULL || text == NULL)
		return -ENOMEM;
	new->texts[number] = arena_copy(&d->texts, text, strlen(text));
	fprintf(key, "\037%s", match);
	return new->texts[number] != NULL ? 0 : -ENOMEM;
}

/*
 * Adds a line of the run in work to the line with its key, as run_ns and
 * run_count.  Returns 0 or -ENOMEM.
 */
static int
add_diff_line(struct diff *d, struct model *m, const struct group_line *l)
{
	struct diff_line new = {
		.sleep = l->mode == GROUP_SLEEP, .sampled = true,
	}, *own = NULL;
	char *key = NULL;
	size_t bytes;
	FILE *to = open_memstream(&key, &bytes);
	bool good = to != NULL;

	if (!good)
		return -ENOMEM;
	fprintf(to, "%d", new.sleep);
	for (size_t i = 0; i < d->column_count && good; i++)
		good = set_diff_text(d, m, l, i, &new, to) == 0;
	good &= fclose(to) == 0;
	if (good)
		own = find_diff_line(d, &new, key, bytes);
	free(key);
	if (own == NULL)
		return -ENOMEM;
	own->run_ns += l->ns;
	own->run_count += l->count;
	own->sampled &= l->ns == 0 || l->count != 0;
	return 0;
}

/* Returns whether the model has allocations, each of them counted. */
static bool
is_counted(const struct model *m)
{
	return model_is_heap(m) && !model_is_sampled(m);
}

/*
 * Adds the numbers of a line in the run that ends.  `total` is that of the run,
 * by `scale` the amounts are multiplied.  Returns the variance of the amount.
 */
static double
end_line_run(struct diff_line *l, const struct diff_run *r, double scale)
{
	const double clump = l->run_count == 0 || is_counted(r->model) ? 0 :
	    r->model->clump / (double)l->run_count;
	const double total = (double)r->groups.total_ns;
	const double amount = (double)l->run_ns * scale;
	const double p = total > 0 ? 100 * (double)l->run_ns / total : 0;

	diff_values_add(&l->amounts[r->side], amount, amount * amount * clump);
	if (!l->sleep)
		diff_values_add(&l->shares[r->side], p, p < 100 ?
		    p * p * (1 - p / 100) * clump : 0);
	l->run_ns = l->run_count = 0;
	return l->sleep ? 0 : amount * amount * clump;
}

/* Adds all lines of a run, whose amounts are multiplied by `scale`. */
static int
add_diff_run(struct diff *d, const struct diff_run *r, double scale)
{
	double variance = 0;
	int ret = 0;

	for (size_t i = 0; i < r->groups.count && ret == 0; i++)
		ret = add_diff_line(d, r->model, &r->groups.lines[i]);
	for (size_t i = 0; i < d->count; i++)
		variance += end_line_run(&d->lines[i], r, scale);
	diff_values_add(&d->totals[r->side], (double)r->groups.total_ns * scale,
	    variance);
	d->runs[r->side]++;
	return ret;
}

/*
 * Chooses the columns.  A table by function also has the module, unless one of
 * the files does not tell modules: then no line would match.
 */
static void
choose_diff_columns(struct diff *d, unsigned by, bool moduleless)
{
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

static double
change_by(const struct diff_change *c)
{
	return c->now - c->before;
}

/* Returns the verdict on a line whose changes are computed. */
static enum diff_verdict
judge_diff_line(const struct diff *d, const struct diff_line *l)
{
	const bool amount = diff_change_is_sure(&l->amount);
	const bool share = diff_change_is_sure(&l->share);

	if (!l->sampled)
		return DIFF_UNKNOWN;
	/* Time asleep has no share; known work makes amounts comparable. */
	if (l->sleep || d->per_work)
		return amount ? DIFF_CHANGE : DIFF_NOISE;
	if (amount && share &&
	    (change_by(&l->amount) > 0) == (change_by(&l->share) > 0))
		return DIFF_CHANGE;
	return amount ? DIFF_AMOUNT : share ? DIFF_SHARE : DIFF_NOISE;
}

/*
 * Sorts time asleep last, sure changes first, then the largest change of the
 * amount.
 */
static int
compare_diff_lines(const void *left, const void *right, void *columns)
{
	const struct diff_line *a = left, *b = right;
	const double x = fabs(change_by(&a->amount));
	const double y = fabs(change_by(&b->amount));
	int d = compare_u64(a->sleep, b->sleep);

	if (d == 0)
		d = compare_u64(b->verdict == DIFF_CHANGE,
		    a->verdict == DIFF_CHANGE);
	if (d == 0)
		d = x > y ? -1 : x < y;
	for (size_t i = 0; i < *(const size_t *)columns && d == 0; i++)
		d = strcmp(a->texts[i], b->texts[i]);
	return d;
}

/* Computes the changes and their errors, and sorts the lines. */
static void
finish_diff(struct diff *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct diff_line *l = &d->lines[i];

		l->amount = diff_change_make(l->amounts, d->runs);
		l->share = diff_change_make(l->shares, d->runs);
		l->verdict = judge_diff_line(d, l);
	}
	d->total = diff_change_make(d->totals, d->runs);
	if (d->count > 1)
		qsort_r(d->lines, d->count, sizeof(*d->lines),
		    compare_diff_lines, &d->column_count);
}

int
diff_make(struct diff *d, const struct diff_run *runs, size_t count,
    unsigned by, const double *work)
{
	bool moduleless = false;
	int ret = 0;

	memset(d, 0, sizeof(*d));
	d->exact = count == DIFF_SIDES;
	for (size_t i = 0; i < count; i++) {
		const struct model *m = runs[i].model;

		if (ret == 0)
			ret = common_names_add(&d->names, m,
			    (enum common_names_side)runs[i].side);
		moduleless |= m->moduleless;
		d->exact &= is_counted(m);
	}
	d->unit = quantity_of(runs[count - 1].model, 0);
	d->whole_names = runs[count - 1].model->demangle != DEMANGLE_SHORT;
	d->per_work = work != NULL;
	for (unsigned i = 0; i < DIFF_SIDES; i++)
		d->work[i] = work != NULL ? work[i] : 1;
	common_names_finish(&d->names);
	choose_diff_columns(d, by, moduleless);
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = add_diff_run(d, &runs[i], d->work[DIFF_BEFORE] /
		    d->work[runs[i].side]);
	if (ret == 0)
		finish_diff(d);
	return ret;
}

void
diff_free(struct diff *d)
{
	free(d->lines);
	string_pool_free(&d->keys);
	common_names_free(&d->names);
	arena_free(&d->texts);
	memset(d, 0, sizeof(*d));
}

const char *
diff_verdict_word(enum diff_verdict verdict)
{
	static const char *const words[] = {
		[DIFF_UNKNOWN] = "-",
		[DIFF_NOISE] = "noise",
		[DIFF_AMOUNT] = "amount",
		[DIFF_SHARE] = "share",
		[DIFF_CHANGE] = "yes",
	};

	return words[verdict];
}

uint64_t
diff_whole(double amount)
{
	return amount < 9e18 ? (uint64_t)llround(amount) : UINT64_MAX;
}

double
diff_points(const struct diff_line *l)
{
	return round(10 * change_by(&l->share)) / 10 + 0.0;
}

double
diff_growth(const struct diff *d, const struct diff_line *l)
{
	const struct diff_change *c = l != NULL ? &l->amount : &d->total;
	const bool sure = d->exact || (l != NULL ?
	    l->verdict == DIFF_CHANGE : diff_change_is_sure(c));

	if (!sure || change_by(c) <= 0)
		return 0;
	return d->total.before > 0 ? 100 * change_by(c) / d->total.before :
	    INFINITY;
}

const char *
diff_title(const struct diff *d, size_t column)
{
	const enum group_by by = d->columns[column];

	return flat_label_title(by == GROUP_PROCESS ? GROUP_PROGRAM : by);
}
