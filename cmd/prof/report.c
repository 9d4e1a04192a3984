/*
 * Context: O.  Shows a model in the view that the options ask for; see
 * report.h.
 */
#include "prof/report.h"

#include "heap/heap_footer.h"
#include "heap/heap_summary.h"
#include "heap/heap_timeline_view.h"
#include "heap/size_histogram.h"
#include "prof/report_missing.h"
#include "report/footer.h"
#include "stack/graphview.h"
#include "stack/treeview.h"
#include "table/annotate.h"
#include "table/diff.h"
#include "table/disambiguate.h"
#include "table/flat.h"
#include "table/flat_data.h"
#include "table/regroup_frames.h"

#include <errno.h>

/* Least share of the total that a line has, in percent, without --min. */
#define BRANCH_LEAST	0.5
#define SUMMARY_LEAST	1.0

/* A report while it is shown. */
struct report {
	const struct prof_options *set;
	struct model *model;
	struct term term;
	bool error;	/* --error was given and the numbers have errors */
	read_inputs_fault *fault;
	void *arg;
};

/*
 * Keeps source lines only where they are shown: reading debug information takes
 * time.
 */
unsigned
report_keep(const struct prof_options *s)
{
	const bool views = s->show != VIEW_TABLE && s->show != VIEW_ANNOTATE;
	const bool stacks = views || export_has_stacks(s->write);

	return group_keep(s->group.by) | export_keep(s->write) |
	    (s->heap ? MODEL_KEEP_HEAP | MODEL_KEEP_STACKS : 0) |
	    (s->show == VIEW_GROWTH || s->write == EXPORT_MASSIF ?
	    MODEL_NEED_POINTS : 0) |
	    (s->show == VIEW_GRAPH && !s->heap ? MODEL_KEEP_ARCS : 0) |
	    (views ? MODEL_KEEP_STACKS : 0) |
	    (stacks && !s->no_inline ? MODEL_KEEP_LINES : 0);
}

static double
least_percent(const struct prof_options *s)
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
		.least = least_percent(s),
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

static int
show_tree(struct report *w)
{
	const struct prof_options *s = w->set;
	const struct treeview_options o = {
		.way = s->show == VIEW_TREE ? CALLTREE_TOP_DOWN :
		    CALLTREE_BOTTOM_UP,
		.least = least_percent(s),
		.top = s->group.top,
		.error = w->error,
	};
	struct calltree tree;
	int ret = calltree_make(&tree, w->model, o.way);

	if (ret == 0 && s->form != DATA_TABLE_NONE)
		treeview_data(w->term.out, s->form, w->model, &tree,
		    w->error);
	else if (ret == 0)
		ret = treeview_print(&w->term, w->model, &tree, &o);
	calltree_free(&tree);
	return ret;
}

static int
show_table(struct report *w, const struct group *g)
{
	const struct prof_options *s = w->set;

	if (s->form != DATA_TABLE_NONE)
		flat_data_print(w->term.out, s->form, w->model, g,
		    s->group.by, w->error);
	else
		flat_print(&w->term, w->model, g, s->group.by, w->error);
	return 0;
}

static int
show_summary(struct report *w)
{
	const struct prof_options *s = w->set;
	const struct heap_summary_options o = {
		s->group.top, s->least_given ? s->group.least : SUMMARY_LEAST,
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
		    "PROFOPTS=mode=heap records them", w->fault, w->arg);
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
		    "PROFOPTS=mode=heap records them", w->fault, w->arg);
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
show_code(struct report *w, const struct group *g)
{
	int ret = w->set->form != DATA_TABLE_NONE ? annotate_data(w->term.out,
	    w->set->form, w->model, g) : annotate_print(&w->term, w->model, g);

	if (ret != -ENOENT)
		return ret;
	if (g->count == 0)
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
	switch (w->set->show) {
	case VIEW_TABLE:
		return show_table(w, g);
	case VIEW_GRAPH:
		return show_graph(w);
	case VIEW_ANNOTATE:
		return show_code(w, g);
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
		footer_print(&w->term, w->model, g);
		return;
	}
	heap_footer_print(&w->term, w->model, g, w->set->show != VIEW_SUMMARY);
	footer_losses(w->term.out, w->model);
	fputs(term_off(&w->term), w->term.out);
}

int
report_show(const struct prof_options *s, struct model *m, FILE *out,
    read_inputs_fault *fault, void *arg)
{
	const bool table = s->show == VIEW_TABLE || s->show == VIEW_ANNOTATE;
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct report w = {
		.set = s, .model = m, .fault = fault, .arg = arg,
		.error = s->error && (!s->heap || model_is_sampled(m)),
	};
	struct group g;
	int ret;

	/* A table without rows says so itself. */
	if ((s->show != VIEW_TABLE || m->heap_files != 0) &&
	    report_missing_heap(s, m, fault, arg))
		return -ESRCH;
	ret = group_make(&g, m, table ? &s->group : &all);
	if (ret == 0)
		ret = disambiguate_names(m, &g);
	if (ret == 0 && !table)
		ret = regroup_frames(m, s->group.by);
	term_init(&w.term, out);
	if (ret == 0 && report_missing_callers(s, m, fault, arg))
		ret = -ESRCH;
	if (ret == 0)
		ret = show_view(&w, &g);
	if (ret == 0 && s->form == DATA_TABLE_NONE && s->footer)
		show_footer(&w, &g);
	if (ret != -ENOMEM)
		report_missing_names(s, m, fault, arg);
	group_free(&g);
	return ret;
}

int
report_diff(const struct prof_options *s, struct model *const m[2], FILE *out,
    read_inputs_fault *fault, void *arg)
{
	const struct group_options all = { .by = s->group.by };
	const struct diff_options o = { s->group.top, least_percent(s) };
	struct group g[2] = { { .lines = NULL }, { .lines = NULL } };
	struct term term;
	struct diff d = { 0 };
	int ret = 0;

	term_init(&term, out);
	for (unsigned i = 0; i < 2 && ret == 0; i++)
		ret = report_missing_heap(s, m[i], fault, arg) ? -ESRCH :
		    group_make(&g[i], m[i], &all);
	if (ret == 0)
		ret = diff_make(&d, m, g, s->group.by);
	if (ret == 0 && s->form != DATA_TABLE_NONE)
		diff_data(out, s->form, &d);
	else if (ret == 0)
		diff_print(&term, &d, &o);
	if (ret == 0)
		report_missing_names_both(s, m, fault, arg);
	diff_free(&d);
	group_free(&g[0]);
	group_free(&g[1]);
	return ret;
}
