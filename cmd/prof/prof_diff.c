/*
 * Context: O.  Compares profiles (prof --diff) for prof_report.c, which has
 * read the run of now; see prof_diff.h.
 */
#include "prof/prof_diff.h"

#include "diff/diff.h"
#include "prof/prof_input.h"
#include "prof/prof_model.h"
#include "prof/report.h"
#include "prof/report_missing.h"
#include "report/report_head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most lines that --fail-over names. */
#define REGRESSIONS_NAMED	5

/* The runs of both sides, and the models that are read here. */
struct comparison {
	struct prof_state *state;
	struct diff_run *runs;		/* first those of before */
	struct model **models;		/* of each run */
	size_t count;
	struct model *own;		/* models that are read here */
	size_t own_count;
};

int
prof_diff_split(struct prof_diff_runs *runs, const char *list)
{
	const bool one = access(list, F_OK) == 0;
	size_t most = 1;
	char *at;

	for (const char *c = list; *c != '\0' && !one; c++)
		most += *c == ',';
	runs->text = strdup(list);
	runs->names = calloc(most, sizeof(*runs->names));
	if (runs->text == NULL || runs->names == NULL)
		return -ENOMEM;
	for (at = runs->text; at != NULL; runs->count++) {
		runs->names[runs->count] = one ? at : strsep(&at, ",");
		if (one)
			at = NULL;
	}
	return 0;
}

void
prof_diff_runs_free(struct prof_diff_runs *runs)
{
	free(runs->text);
	free(runs->names);
	memset(runs, 0, sizeof(*runs));
}

static void
add_run(struct comparison *c, enum diff_side side, struct model *m)
{
	c->models[c->count] = m;
	c->runs[c->count++] = (struct diff_run) { .side = side, .model = m };
}

/* Reports that the run before the last one, the default, is not there. */
static int
report_no_old(struct prof_state *p)
{
	struct fault f;

	fault_set(&f, "there is no earlier run to compare with",
	    FAULT_NO_OFFSET, 0);
	f.remedy = "run prof record once more, or name one: --diff=OLD";
	prof_state_report(p, &f);
	return -ESRCH;
}

/*
 * Reads the next run of a side from its file or directory, and adds it to the
 * comparison, which owns its model even on failure.  Returns as
 * prof_report_make() but for -ENODATA, which is reported here.
 */
static int
read_run(struct comparison *c, enum diff_side side, const char *name)
{
	struct model *m = &c->own[c->own_count++];
	struct input in = { 0 };
	struct fault f = { 0 };
	int ret;

	if (input_add(&in, name, &f) != 0)
		prof_state_report(c->state, &f);
	ret = prof_model_read(c->state, m, &in);
	if (ret == -ENODATA) {
		prof_input_report_none(c->state, &name, 1);
		ret = -ESRCH;
	}
	add_run(c, side, m);
	input_free(&in);
	return ret;
}

/*
 * Makes all models use one metric.  Without a metric on the command line they
 * differ if one of them has mappings alone: then all show mappings.
 */
static void
use_common_measure(struct comparison *c)
{
	bool alike = true;

	for (size_t i = 1; i < c->count; i++)
		alike &= c->runs[i].model->measure ==
		    c->runs[0].model->measure;
	for (size_t i = 0; i < c->count && !alike; i++)
		model_heap_set_metric(c->runs[i].model, METRIC_MAPPED_PEAK);
}

/* Prints what each side is of, by its first run. */
static void
print_heads(const struct term *t, const struct comparison *c)
{
	static const char *const names[] = { "Before", "Now" };
	size_t runs[DIFF_SIDES] = { 0 };
	enum diff_side side = DIFF_SIDES;

	for (size_t i = 0; i < c->count; i++)
		runs[c->runs[i].side]++;
	for (size_t i = 0; i < c->count; i++) {
		if (c->runs[i].side == side)
			continue;
		side = c->runs[i].side;
		if (runs[side] > 1)
			fprintf(t->out, "%s, the first of %zu runs:\n",
			    names[side], runs[side]);
		else
			fprintf(t->out, "%s:\n", names[side]);
		report_head_subject(t, c->runs[i].model);
	}
	putc('\n', t->out);
}

/* Reports what grew by more than --fail-over allows. */
static void
report_growth(struct prof_state *p, const struct diff *d,
    const struct diff_line *l)
{
	const struct term on_stderr = { .out = stderr };

	fputs("prof: ", stderr);
	term_text(&on_stderr, l != NULL ? l->texts[0] : "the total", 0);
	fprintf(stderr, " grew by %.1f %% of the earlier %s "
	    "(--fail-over=%g)\n", diff_growth(d, l), d->unit.measure ==
	    METRIC_TIME ? "CPU time" : "total", p->set.fail_over);
	p->status = EXIT_REGRESSION;
}

/*
 * Reports the total and up to REGRESSIONS_NAMED lines that grew by more than
 * --fail-over allows.
 */
static void
find_regressions(struct prof_state *p, const struct diff *d)
{
	size_t found = 0;

	if (!p->set.fail_over_given)
		return;
	if (diff_growth(d, NULL) > p->set.fail_over)
		report_growth(p, d, NULL);
	for (size_t i = 0; i < d->count && found < REGRESSIONS_NAMED; i++)
		if (!d->lines[i].sleep && diff_growth(d, &d->lines[i]) >
		    p->set.fail_over) {
			report_growth(p, d, &d->lines[i]);
			found++;
		}
}

/* Prints the differences in the form that the options ask for. */
static void
print_diff(const struct comparison *c, const struct diff *d, FILE *out)
{
	const struct prof_options *s = &c->state->set;
	const struct diff_options o = {
		s->group.top, report_least_percent(s),
	};
	struct term t;

	if (s->form != DATA_TABLE_NONE) {
		diff_data(out, s->form, d);
		return;
	}
	if (s->markdown) {
		diff_markdown(out, d, &o);
		return;
	}
	term_init(&t, out);
	if (s->footer)
		print_heads(&t, c);
	diff_print(&t, d, &o);
}

/*
 * Compares the models that were read and prints the differences on `out`.
 * Returns 0, -ESRCH after a report, or -ENOMEM.
 */
static int
show_diff(const struct comparison *c, FILE *out)
{
	struct prof_state *p = c->state;
	const struct prof_options *s = &p->set;
	const struct group_options all = { .by = s->group.by };
	struct diff d = { 0 };
	int ret = 0;

	for (size_t i = 0; i < c->count && ret == 0; i++)
		ret = report_missing_heap(s, c->runs[i].model,
		    prof_state_on_fault, p) ? -ESRCH :
		    group_make(&c->runs[i].groups, c->runs[i].model, &all);
	if (ret == 0)
		ret = diff_make(&d, c->runs, c->count, s->group.by,
		    s->per_work ? s->work : NULL);
	if (ret == 0) {
		print_diff(c, &d, out);
		report_missing_names_all(s, c->models, c->count,
		    prof_state_on_fault, p);
		find_regressions(p, &d);
	}
	diff_free(&d);
	for (size_t i = 0; i < c->count; i++)
		group_free(&c->runs[i].groups);
	return ret;
}

/*
 * Reports a comparison of time with runs that have allocations alone.  Returns
 * whether there is one.
 */
static bool
lacks_time(const struct comparison *c)
{
	struct fault f;
	size_t alone = 0;

	for (size_t i = 0; i < c->count; i++)
		alone += c->runs[i].model->heap_files != 0 &&
		    c->runs[i].model->row_count == 0;
	if (c->state->set.heap || alone == 0)
		return false;
	fault_set(&f, alone == c->count ? "the runs have allocations alone" :
	    "one run has allocations alone, and no time", FAULT_NO_OFFSET, 0);
	f.remedy = "--diff --heap compares allocations; prof record --heap "
	    "--time records both";
	prof_state_report(c->state, &f);
	return true;
}

/*
 * Writes the page of two runs; refuses more.  Returns 0, or -ESRCH after a
 * report.
 */
static int
write_page(const struct comparison *c)
{
	struct fault f;

	if (c->count == 2)
		return prof_model_write(c->state, c->models);
	fault_set(&f, "a page compares two runs: name one a side",
	    FAULT_NO_OFFSET, 0);
	prof_state_report(c->state, &f);
	c->state->status = EXIT_WRONG_USE;
	return -ESRCH;
}

/* Reads the runs of before, then adds `now` and the other runs of now. */
static int
read_runs(struct comparison *c, const struct prof_diff_runs *old,
    struct model *now)
{
	const struct prof_state *p = c->state;
	int ret = 0;

	if (access(old->names[0], F_OK) != 0 &&
	    strcmp(old->names[0], INPUT_RECORD_DIRECTORY ".old") == 0)
		ret = report_no_old(c->state);
	for (size_t i = 0; i < old->count && ret == 0; i++)
		ret = read_run(c, DIFF_BEFORE, old->names[i]);
	add_run(c, DIFF_NOW, now);
	for (size_t i = 0; i < p->more_count && ret == 0; i++)
		ret = read_run(c, DIFF_NOW, p->more[i]);
	return ret;
}

/* Reports what the models that were read here left out, and frees them. */
static void
free_comparison(struct comparison *c)
{
	for (size_t i = 0; i < c->own_count; i++) {
		prof_model_report_below_zero(c->state, &c->own[i]);
		model_free(&c->own[i]);
	}
	free(c->own);
	free(c->models);
	free(c->runs);
}

int
prof_diff_make(struct prof_state *p, struct model *now, FILE *out)
{
	struct comparison c = { .state = p };
	struct prof_diff_runs old = { 0 };
	int ret = prof_diff_split(&old, p->set.old);
	const size_t count = old.count + 1 + p->more_count;

	c.runs = calloc(count, sizeof(*c.runs));
	c.models = calloc(count, sizeof(struct model *));
	c.own = calloc(count, sizeof(*c.own));
	if (c.runs == NULL || c.models == NULL || c.own == NULL)
		ret = -ENOMEM;
	if (ret == 0)
		ret = read_runs(&c, &old, now);
	if (ret == 0 && lacks_time(&c))
		ret = -ESRCH;
	if (ret == 0 && p->set.heap)
		use_common_measure(&c);
	if (ret == 0)
		ret = p->set.write != EXPORT_NONE ? write_page(&c) :
		    show_diff(&c, out);
	free_comparison(&c);
	prof_diff_runs_free(&old);
	return ret;
}
