/* Context: O.  The views of prof(1): which, with what, and what is missing. */
#include "show.h"

#include "annotate.h"
#include "diff.h"
#include "distinct.h"
#include "flat.h"
#include "flatsheet.h"
#include "footer.h"
#include "graphview.h"
#include "heapfoot.h"
#include "growthview.h"
#include "heapsummary.h"
#include "sizesview.h"
#include "recast.h"
#include "treeview.h"

#include <errno.h>
#include <stdlib.h>

/* Percent of all time; asked is what --min says. */
#define BRANCH_LEAST	0.5
#define SUMMARY_LEAST	1.0

struct show {
	const struct settings *set;
	struct model *model;
	struct term term;
	bool error;		/* it is asked for, and there is any */
	gather_fault *fault;
	void *arg;
};

/* Reading debug information takes time: only where it is shown. */
unsigned
show_keep(const struct settings *s)
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

/* "--pid=98 --pid=99", malloced; NULL = no memory. */
static char *
filter_given(const struct filter *f, enum filter_what what, const char *option)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	for (size_t i = 0; i < f->count[what] && out != NULL; i++)
		fprintf(out, "%s--%s=%s", i != 0 ? " " : "", option,
		    f->pattern[what][i]);
	if (out != NULL && fclose(out) != 0) {
		free(text);
		text = NULL;
	}
	return text;
}

struct unmet {
	const char *option, *what, *remedy;
};

static const struct unmet filter_unmet_says[FILTER_WHATS] = {
	[FILTER_PID] = { "pid", "no such process in the profiles",
	    "prof --by=process lists them" },
	[FILTER_PROGRAM] = { "program", "no such program in the profiles",
	    "prof --by=program lists them" },
	[FILTER_THREAD] = { "thread", "no such thread in the profiles",
	    "prof --by=thread lists them" },
	[FILTER_MODULE] = { "module", "no time was counted in such a module",
	    "prof --by=module lists those that took some" },
	[FILTER_FOCUS] = { "focus", "no stack has such a function",
	    "prof --by=function lists those that took some time" },
	[FILTER_IGNORE] = { "ignore", "no stack has such a function",
	    "prof --by=function lists those that took some time" },
	[FILTER_FUNCTION] = { "function", "no time was counted in such a "
	    "function", "prof --by=function lists those that took some" },
};

/* What differs where it is allocations that were counted. */
static const struct unmet filter_unmet_heap[FILTER_WHATS] = {
	[FILTER_MODULE] = { "module", "nothing was allocated by such a module",
	    "prof --heap --by=module lists those that did" },
	[FILTER_FUNCTION] = { "function", "nothing was allocated by such a "
	    "function", "prof --heap lists those that did" },
};

static const struct unmet *
unmet_says(const struct settings *s, enum filter_what what)
{
	return s->heap && filter_unmet_heap[what].what != NULL ?
	    &filter_unmet_heap[what] : &filter_unmet_says[what];
}

void
show_unmet(const struct settings *s, const struct model *m,
    gather_fault *fault, void *arg)
{
	const struct filter *asked = m->filter;
	enum filter_what unmet = filter_unmet(asked, m->met);
	const struct unmet *says;
	const char *option;
	struct fault f;
	char *given;

	if (unmet == FILTER_WHATS)
		return;
	says = unmet_says(s, unmet);
	fault_set(&f, says->what, FAULT_NO_OFFSET, 0);
	for (unsigned i = 0; i < unmet; i++)
		if (filter_is_on(asked, i))
			f.what = "nothing that the other filters leave has "
			    "that name";
	f.remedy = says->remedy;
	option = unmet == FILTER_FUNCTION && s->show == VIEW_ANNOTATE ?
	    "annotate" : says->option;
	given = filter_given(asked, unmet, option);
	f.file = given;
	fault(arg, &f);
	free(given);
}

void
show_unmet_both(const struct settings *s, struct model *const m[2],
    gather_fault *fault, void *arg)
{
	for (unsigned i = 0; i < FILTER_WHATS; i++)
		m[1]->met[i] |= m[0]->met[i];
	show_unmet(s, m[1], fault, arg);
}

static void
say(const struct show *w, const char *what, const char *remedy)
{
	struct fault f;

	fault_set(&f, what, FAULT_NO_OFFSET, 0);
	f.remedy = remedy;
	w->fault(w->arg, &f);
}

/* Why there is nothing of what is asked for; false: there is. */
static bool
lacks_heap(const struct settings *s, const struct model *m, struct fault *f)
{
	if (m->heap_files == 0) {
		fault_set(f, "no allocation was counted", FAULT_NO_OFFSET, 0);
		f->remedy = m->losses[LOSS_HEAP_BEHIND] != 0 ?
		    loss_text(LOSS_HEAP_BEHIND) :
		    "PROFOPTS=mode=heap counts them";
		return true;
	}
	if (!model_has_measure(m, m->measure)) {
		fault_set(f, "no mapping was counted", FAULT_NO_OFFSET, 0);
		f->remedy = "PROFOPTS=mode=heap,heap=all counts them, too";
		return true;
	}
	/* Sizes are of blocks alone. */
	if (model_has_blocks(m) || (s->show != VIEW_SIZES &&
	    (view_is_whole_heap(s->show) || s->any_measure ||
	    measure_is_mapped(s->measure))))
		return false;
	fault_set(f, "mappings were counted, and nothing else",
	    FAULT_NO_OFFSET, 0);
	f->remedy = "prof --heap=mapped-peak shows them";
	return true;
}

bool
show_has_heap(const struct settings *s, const struct model *m,
    gather_fault *fault, void *arg)
{
	struct fault f;

	if (!s->heap || !lacks_heap(s, m, &f))
		return true;
	fault(arg, &f);
	return false;
}

static double
least(const struct settings *s)
{
	return s->least_given ? s->group.least :
	    s->form != SHEET_NONE ? 0 : BRANCH_LEAST;
}

static int
show_graph(struct show *w)
{
	const struct settings *s = w->set;
	const struct graph_options o = {
		.sort = s->group.sort,
		.top = s->group.top,
		.least = least(s),
		.keep_called = !s->least_given,
	};
	const struct graphview_options how = { o.top != 0, w->error };
	struct calltree tree;
	struct graph g = { .nodes = NULL };
	int ret = calltree_make(&tree, w->model, CALLTREE_DOWN);

	if (ret == 0)
		ret = graph_make(&g, w->model, &tree, &o);
	if (ret == 0 && s->form != SHEET_NONE)
		graphview_sheet(w->term.out, s->form, w->model, &g, w->error);
	else if (ret == 0)
		graphview_print(&w->term, w->model, &g, &how);
	graph_free(&g);
	calltree_free(&tree);
	return ret;
}

static int
show_tree(struct show *w)
{
	const struct settings *s = w->set;
	const struct treeview_options o = {
		.way = s->show == VIEW_TREE ? CALLTREE_DOWN : CALLTREE_UP,
		.least = least(s),
		.top = s->group.top,
		.error = w->error,
	};
	struct calltree tree;
	int ret = calltree_make(&tree, w->model, o.way);

	if (ret == 0 && s->form != SHEET_NONE)
		treeview_sheet(w->term.out, s->form, w->model, &tree,
		    w->error);
	else if (ret == 0)
		ret = treeview_print(&w->term, w->model, &tree, &o);
	calltree_free(&tree);
	return ret;
}

static int
show_table(struct show *w, const struct group *g)
{
	const struct settings *s = w->set;

	if (s->form != SHEET_NONE)
		flatsheet_print(w->term.out, s->form, w->model, g,
		    s->group.by, w->error);
	else
		flat_print(&w->term, w->model, g, s->group.by, w->error);
	return 0;
}

static int
show_summary(struct show *w)
{
	const struct settings *s = w->set;
	const struct heapsummary_options o = {
		s->group.top, s->least_given ? s->group.least : SUMMARY_LEAST,
	};

	return heapsummary_print(&w->term, w->model, &o);
}

/* Each number, not the sums below it alone. */
static void
say_estimates(const struct show *w)
{
	if (w->set->form == SHEET_NONE && model_is_sampled(w->model))
		fputs("estimates: some of the blocks were looked at, for "
		    "all\n", w->term.out);
}

static int
show_growth(struct show *w)
{
	int ret = 0;

	if (w->model->point_count == 0) {
		say(w, "no moment of the heap was noted",
		    "PROFOPTS=mode=heap notes them");
		return -ESRCH;
	}
	if (w->set->form != SHEET_NONE)
		growthview_sheet(w->term.out, w->set->form, w->model);
	else
		ret = growthview_print(&w->term, w->model, w->set->group.top);
	say_estimates(w);
	return ret;
}

static int
show_sizes(struct show *w)
{
	if (sizesview_half(w->model) == FORMAT_SIZES) {
		say(w, "no size of a block was noted",
		    "PROFOPTS=mode=heap notes them");
		return -ESRCH;
	}
	if (w->set->form != SHEET_NONE)
		sizesview_sheet(w->term.out, w->set->form, w->model);
	else
		sizesview_print(&w->term, w->model);
	say_estimates(w);
	return 0;
}

/* A function without code in a file says so, where it is the only one. */
static int
show_code(struct show *w, const struct group *g)
{
	int ret = w->set->form != SHEET_NONE ? annotate_sheet(w->term.out,
	    w->set->form, w->model, g) : annotate_print(&w->term, w->model, g);

	if (ret != -ENOENT)
		return ret;
	if (g->count != 0)
		say(w, "no code of such a function is there to be shown",
		    "its program or library must be as it ran, with symbols");
	return g->count != 0 ? -ESRCH : 0;
}

/* What allocated is a frame itself. */
static bool
has_stacks(const struct model *m)
{
	size_t i = 0;

	if (!model_is_heap(m))
		return m->stacks.count != 0;
	while (i < m->row_count && m->rows[i].stack == 0)
		i++;
	return i != m->row_count;
}

/* Is there what that view is of?  If not it is said. */
static bool
has_callers(const struct show *w)
{
	const struct model *m = w->model;

	if (w->set->show == VIEW_TABLE || w->set->show == VIEW_ANNOTATE ||
	    w->set->show == VIEW_GROWTH || w->set->show == VIEW_SIZES ||
	    has_stacks(m) ||
	    (w->set->show == VIEW_GRAPH && m->arc_count != 0))
		return true;
	if (w->set->show == VIEW_GRAPH && m->files_foreign != 0)
		say(w, "no callers are in the files", "compile the program "
		    "with -pg or -finstrument-functions");
	else if (m->files_foreign == m->files)
		say(w, "no call stacks are in the files", m->arc_count != 0 ||
		    m->import_count != 0 ? "--graph shows what calls are" :
		    NULL);
	else
		say(w, "no call stacks are in the files", "they are taken "
		    "unless PROFOPTS has stack=off");
	return false;
}

static int
show_view(struct show *w, const struct group *g)
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
show_foot(const struct show *w, const struct group *g)
{
	if (!w->set->heap) {
		footer_print(&w->term, w->model, g);
		return;
	}
	heapfoot_print(&w->term, w->model, g, w->set->show != VIEW_SUMMARY);
	footer_losses(w->term.out, w->model);
	fputs(term_off(&w->term), w->term.out);
}

int
show_report(const struct settings *s, struct model *m, FILE *out,
    gather_fault *fault, void *arg)
{
	const bool table = s->show == VIEW_TABLE || s->show == VIEW_ANNOTATE;
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct show w = {
		.set = s, .model = m, .fault = fault, .arg = arg,
		.error = s->error && (!s->heap || model_is_sampled(m)),
	};
	struct group g;
	int ret;

	/* A table of nothing says so itself. */
	if ((s->show != VIEW_TABLE || m->heap_files != 0) && !show_has_heap(s, m, fault, arg))
		return -ESRCH;
	ret = group_make(&g, m, table ? &s->group : &all);
	if (ret == 0)
		ret = distinct_names(m, &g);
	if (ret == 0 && !table)
		ret = recast(m, s->group.by);
	term_init(&w.term, out);
	if (ret == 0 && !has_callers(&w))
		ret = -ESRCH;
	if (ret == 0)
		ret = show_view(&w, &g);
	if (ret == 0 && s->form == SHEET_NONE && s->footer)
		show_foot(&w, &g);
	if (ret != -ENOMEM)
		show_unmet(s, m, fault, arg);
	group_free(&g);
	return ret;
}

int
show_diff(const struct settings *s, struct model *const m[2], FILE *out,
    gather_fault *fault, void *arg)
{
	const struct group_options all = { .by = s->group.by };
	const struct diff_options o = { s->group.top, least(s) };
	struct group g[2] = { { .lines = NULL }, { .lines = NULL } };
	struct term term;
	struct diff d = { .lines = NULL };
	int ret = 0;

	term_init(&term, out);
	for (unsigned i = 0; i < 2 && ret == 0; i++)
		ret = show_has_heap(s, m[i], fault, arg) ?
		    group_make(&g[i], m[i], &all) : -ESRCH;
	if (ret == 0)
		ret = diff_make(&d, m, g, s->group.by);
	if (ret == 0 && s->form != SHEET_NONE)
		diff_sheet(out, s->form, &d);
	else if (ret == 0)
		diff_print(&term, &d, &o);
	if (ret == 0)
		show_unmet_both(s, m, fault, arg);
	diff_free(&d);
	group_free(&g[0]);
	group_free(&g[1]);
	return ret;
}
