/*
 * Context: O.  Shows a model in the view that the options ask for, for
 * prof_report.c; see report.h.
 */
#include "prof/report.h"

#include "derive/library_functions.h"
#include "findings/findings.h"
#include "heap/heap_footer.h"
#include "heap/heap_summary.h"
#include "heap/heap_timeline_view.h"
#include "heap/size_histogram.h"
#include "prof/report_keep.h"
#include "prof/report_missing.h"
#include "report/bracket_names.h"
#include "report/elapsed_sums.h"
#include "report/footer.h"
#include "report/report_head.h"
#include "sleep/sleep_reasons.h"
#include "stack/graphview.h"
#include "stack/treeview.h"
#include "table/annotate.h"
#include "table/disambiguate.h"
#include "table/flat.h"
#include "table/flat_data.h"
#include "table/regroup_frames.h"

#include <errno.h>
#include <stdlib.h>

/* Least share of the total that a line has, in percent, without --min. */
#define BRANCH_LEAST	0.5
#define SUMMARY_LEAST	1.0
/* Lines of a table without --top and --min: a screen of a usual terminal. */
#define TABLE_LINES	30
/* Functions of annotated code without --top. */
#define CODE_FUNCTIONS	10

/* A report while it is shown. */
struct report {
	const struct prof_options *set;
	struct model *model;
	struct term term;
	bool error;	/* --error was given and the numbers have errors */
	struct inclusive inclusive;	/* without arrays: not shown */
	struct report_repeated *before;	/* NULL: not to be compared */
	bool interval;	/* the time since the report before is shown */
	read_inputs_fault *fault;
	void *arg;
};

double
report_least_percent(const struct prof_options *s)
{
	return s->least_given ? s->group.least :
	    s->form != DATA_TABLE_NONE ? 0 : BRANCH_LEAST;
}

static int
show_graph(struct report *w)
{
	const struct prof_options *s = w->set;
	const struct graph_options o = {
		.sort = s->group.sort,
		.top = s->group.top,
		.least = report_least_percent(s),
		.keep_called = !s->least_given,
	};
	const struct graphview_options how = { o.top != 0, w->error };
	struct calltree tree;
	struct graph g = { 0 };
	int ret = calltree_make(&tree, w->model, CALLTREE_TOP_DOWN);

	if (ret == 0)
		ret = graph_make(&g, w->model, &tree, &o);
	if (ret == 0 && s->form != DATA_TABLE_NONE)
		graphview_data(w->term.out, s->form, w->model, &g, w->error);
	else if (ret == 0)
		graphview_print(&w->term, w->model, &g, &how);
	graph_free(&g);
	calltree_free(&tree);
	return ret;
}

/* Returns whether trees fold runs of library functions: for people only. */
static bool
folds_library(const struct prof_options *s)
{
	return !s->all_frames && s->form == DATA_TABLE_NONE &&
	    (s->group.by & REGROUP_FRAMES_UNITS) == 1u << GROUP_FUNCTION;
}

static int
show_tree(struct report *w)
{
	const struct prof_options *s = w->set;
	const struct treeview_options o = {
		.way = s->view == VIEW_TREE ? CALLTREE_TOP_DOWN :
		    CALLTREE_BOTTOM_UP,
		.least = report_least_percent(s),
		.top = s->group.top,
		.error = w->error,
		.places = (s->group.by & REGROUP_FRAMES_UNITS) ==
		    1u << GROUP_FUNCTION,
	};
	struct calltree tree;
	bool *library = folds_library(s) ? library_functions_make(w->model) :
	    NULL;
	int ret = calltree_make_folded(&tree, w->model, o.way, library);

	if (ret == 0 && s->form != DATA_TABLE_NONE)
		treeview_data(w->term.out, s->form, w->model, &tree,
		    w->error);
	else if (ret == 0)
		ret = treeview_print(&w->term, w->model, &tree, &o);
	calltree_free(&tree);
	free(library);
	return ret;
}

/*
 * Returns whether findings are below the table: it shows all the time that was
 * read, and is not printed again every second.
 */
static bool
has_findings(const struct prof_options *s)
{
	return report_has_inclusive_times(s) && s->footer && !s->live &&
	    !filter_is_on(&s->filter, FILTER_MODULE) &&
	    !filter_is_on(&s->filter, FILTER_FUNCTION);
}

/*
 * Returns whether the table of reasons stands for the functions in which
 * threads slept, most of which are of libc.
 */
static bool
has_sleep_reasons(const struct report *w)
{
	/* Frame 0 stands for none. */
	return has_findings(w->set) && w->model->stacks.count > 1;
}

static int
print_sleep_reasons(const struct report *w, bool below)
{
	const struct elapsed_waiting waiting = elapsed_sums_waiting(w->model);

	return sleep_reasons_print(&w->term, w->model, below, &waiting);
}

static int
show_table(struct report *w, const struct group *g)
{
	const struct prof_options *s = w->set;
	struct group shown = *g;

	if (has_sleep_reasons(w))
		shown.count = shown.cpu_lines;
	if (s->form != DATA_TABLE_NONE)
		flat_data_print(w->term.out, s->form, w->model, g,
		    s->group.by, w->error);
	else
		flat_print(&w->term, w->model, &shown, &(struct flat_options) {
			.by = s->group.by, .error = w->error,
			.inclusive = w->inclusive.cpu != NULL,
			.interval = w->interval,
		});
	return 0;
}

static int
show_summary(struct report *w)
{
	const struct prof_options *s = w->set;
	const struct heap_summary_options o = {
		.top = s->group.top, .least = s->least_given ?
		    s->group.least : SUMMARY_LEAST, .all = !folds_library(s),
	};

	return heap_summary_print(&w->term, w->model, &o);
}

/* Prints a note that each number, not only a sum, is an estimate. */
static void
print_estimate_note(const struct report *w)
{
	if (w->set->form == DATA_TABLE_NONE && model_is_sampled(w->model))
		fputs("estimates: some of the blocks were counted, to stand "
		    "for all\n", w->term.out);
}

static int
show_growth(struct report *w)
{
	int ret = 0;

	if (w->model->point_count == 0) {
		report_missing_data("no point of the heap timeline was "
		    "recorded",
		    "prof record --heap counts them", w->fault, w->arg);
		return -ESRCH;
	}
	if (w->set->form != DATA_TABLE_NONE)
		heap_timeline_view_data(w->term.out, w->set->form, w->model);
	else
		ret = heap_timeline_view_print(&w->term, w->model,
		    w->set->group.top);
	print_estimate_note(w);
	return ret;
}

static int
show_sizes(struct report *w)
{
	if (size_histogram_median(w->model) == FORMAT_SIZES) {
		report_missing_data("no size of a block was recorded",
		    "prof record --heap counts them", w->fault, w->arg);
		return -ESRCH;
	}
	if (w->set->form != DATA_TABLE_NONE)
		size_histogram_data(w->term.out, w->set->form, w->model);
	else
		size_histogram_print(&w->term, w->model);
	print_estimate_note(w);
	return 0;
}

/*
 * Shows annotated code.  Reports a function whose code is not in a file if
 * there is no other to show.
 */
static int
show_code(struct report *w)
{
	const struct prof_options *s = w->set;
	const bool data = s->form != DATA_TABLE_NONE;
	const struct annotate_options o = {
		.top = s->top_given || data ? s->group.top : CODE_FUNCTIONS,
		.least = s->group.least, .all = s->all_lines,
	};
	int ret = data ? annotate_data(w->term.out, s->form, w->model, &o) :
	    annotate_print(&w->term, w->model, &o);

	if (ret != -ENOENT)
		return ret;
	if (!w->model->met[FILTER_FUNCTION])
		return 0;
	report_missing_data("no code of a function of that name can be shown",
	    "its program or library must be the file that ran, with "
	    "symbols",
	    w->fault, w->arg);
	return -ESRCH;
}

static int
show_view(struct report *w, const struct group *g)
{
	switch (w->set->view) {
	case VIEW_TABLE:
		return show_table(w, g);
	case VIEW_GRAPH:
		return show_graph(w);
	case VIEW_ANNOTATE:
		return show_code(w);
	case VIEW_SUMMARY:
		return show_summary(w);
	case VIEW_GROWTH:
		return show_growth(w);
	case VIEW_SIZES:
		return show_sizes(w);
	default:
		return show_tree(w);
	}
}

static void
show_footer(const struct report *w, const struct group *g)
{
	if (!w->set->heap) {
		footer_print(&w->term, w->model, g, w->set->verbose);
		return;
	}
	heap_footer_print(&w->term, w->model, g, w->set->view != VIEW_SUMMARY);
	footer_losses(w->term.out, w->model);
	fputs(term_off(&w->term), w->term.out);
}

/*
 * Makes the lines of the view: those of a table as the user has asked for them,
 * all functions for another view.
 */
static int
make_report_lines(struct report *w, struct group *g)
{
	const struct prof_options *s = w->set;
	const bool table = s->view == VIEW_TABLE || s->view == VIEW_ANNOTATE;
	struct group_options o = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	int ret = 0;

	if (table)
		o = s->group;
	if (s->view == VIEW_TABLE && s->form == DATA_TABLE_NONE &&
	    !s->least_given && !s->top_given && o.top == 0)
		o.top = TABLE_LINES;
	/* Frame 0 stands for none: there are no stacks. */
	if (report_has_inclusive_times(s) && w->model->stacks.count > 1 &&
	    !model_has_signs(w->model)) {
		ret = inclusive_make(&w->inclusive, w->model);
		o.inclusive = &w->inclusive;
		o.callers = true;
	}
	if (w->before != NULL) {
		o.interval = &w->before->interval;
		w->interval = o.interval->begun;
		if (w->interval && !s->sort_given)
			o.sort = GROUP_SORT_INTERVAL;
	}
	if (ret == 0)
		ret = group_make(g, w->model, &o);
	if (ret == 0)
		ret = disambiguate_names(w->model, g);
	if (ret == 0 && !table)
		ret = regroup_frames(w->model, s->group.by);
	return ret;
}

/* Prints how much CPU time has passed since the report before. */
static void
print_interval(const struct report *w)
{
	const double cpu = (double)w->before->interval.last_ns / 1e9;

	fprintf(w->term.out, "last %.1f s: %.2f s CPU (%.2f cores)\n",
	    w->before->seconds, cpu, cpu / w->before->seconds);
}

/* Says where the time of libraries is, and how much could not be charged. */
static void
print_mine(const struct report *w, const struct group *g)
{
	const uint64_t uncharged = w->set->filter.asleep ?
	    w->model->uncharged_sleep_ns : w->model->uncharged_ns;

	fprintf(w->term.out, "libraries are charged to their callers in the "
	    "program%s%s; %.1f %% has no caller there\n", *w->set->mine != '\0'
	    ? " and " : "", w->set->mine, g->total_ns == 0 ? 0 :
	    (double)uncharged * 100 / (double)g->total_ns);
}

int
report_show(const struct prof_options *s, struct model *m, FILE *out,
    struct report_repeated *before, read_inputs_fault *fault, void *arg)
{
	struct report w = {
		.set = s, .model = m, .before = s->heap ? NULL : before,
		.fault = fault, .arg = arg,
		.error = s->error && (!s->heap || model_is_sampled(m)),
	};
	struct group g = { 0 };
	int ret;

	/* A table without rows says so itself. */
	if ((s->view != VIEW_TABLE || m->heap_files != 0) &&
	    report_missing_heap(s, m, fault, arg))
		return -ESRCH;
	ret = make_report_lines(&w, &g);
	term_init(&w.term, out);
	if (ret == 0 && (report_missing_sleep(s, m, fault, arg) ||
	    report_missing_callers(s, m, fault, arg)))
		ret = -ESRCH;
	if (ret == 0 && s->form == DATA_TABLE_NONE && s->footer)
		report_head_print(&w.term, m, &g);
	if (ret == 0 && w.interval && s->footer)
		print_interval(&w);
	if (ret == 0 && s->form == DATA_TABLE_NONE && s->footer &&
	    s->mine != NULL)
		print_mine(&w, &g);
	if (ret == 0 && s->filter.asleep && s->form == DATA_TABLE_NONE &&
	    s->view != VIEW_TABLE && s->footer)
		ret = print_sleep_reasons(&w, false);
	if (ret == 0)
		ret = show_view(&w, &g);
	if (ret == 0 && has_sleep_reasons(&w))
		ret = print_sleep_reasons(&w, true);
	if (ret == 0 && has_findings(s))
		ret = findings_print(&w.term, m, g.total_ns, s->explain);
	if (ret == 0 && s->form == DATA_TABLE_NONE && s->footer &&
	    s->explain)
		bracket_names_print(&w.term, m);
	if (ret == 0 && s->form == DATA_TABLE_NONE && s->footer)
		show_footer(&w, &g);
	if (ret != -ENOMEM)
		report_missing_names(s, m, fault, arg);
	inclusive_free(&w.inclusive);
	group_free(&g);
	return ret;
}
