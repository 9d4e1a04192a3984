/*
 * Context: O.  Sums the rows of the model to the lines of a table, for the
 * views of prof and the page; see group.h.
 */
#include "table/group.h"

#include "table/group_interval.h"
#include "table/group_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const group_by_names[GROUP_COUNT] = {
	[GROUP_PROCESS] = "process",
	[GROUP_PROGRAM] = "program",
	[GROUP_THREAD] = "thread",
	[GROUP_MODE] = "mode",
	[GROUP_MODULE] = "module",
	[GROUP_FILE] = "file",
	[GROUP_FUNCTION] = "function",
	[GROUP_LINE] = "line",
	[GROUP_ADDRESS] = "address",
};

static const char *const group_mode_names[GROUP_MODES] = {
	[GROUP_USER] = "user",
	[GROUP_KERNEL] = "kernel",
	[GROUP_SLEEP] = "sleep",
};

const char *
group_by_name(unsigned by)
{
	return by < GROUP_COUNT ? group_by_names[by] : NULL;
}

const char *
group_mode_name(unsigned mode)
{
	return mode < GROUP_MODES ? group_mode_names[mode] : NULL;
}

static bool
is_grouped_by(unsigned by, enum group_by what)
{
	return (by & 1u << what) != 0;
}

unsigned
group_keep(unsigned by)
{
	unsigned keep = 0;

	if (is_grouped_by(by, GROUP_THREAD))
		keep |= MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD;
	if (is_grouped_by(by, GROUP_PROCESS) || is_grouped_by(by,
	    GROUP_PROGRAM))
		keep |= MODEL_KEEP_PROCESS;
	if (is_grouped_by(by, GROUP_FILE) || is_grouped_by(by, GROUP_LINE))
		keep |= MODEL_KEEP_LINES;
	return keep;
}

static unsigned
row_mode(const struct model_row *r)
{
	switch (r->kind) {
	case FORMAT_SLEEP:
		return GROUP_SLEEP;
	case FORMAT_KERNEL:
	case FORMAT_KFUNC:
		return GROUP_KERNEL;
	case MODEL_REST:
		return r->module == MODEL_MODULE_KERNEL ? GROUP_KERNEL :
		    GROUP_USER;
	default:
		return GROUP_USER;
	}
}

/*
 * Sets the source position of a line, and with it the inlined function that the
 * line is in.
 */
static void
set_line_source(struct group_line *l, const struct model *m,
    const struct model_row *r, unsigned by)
{
	const struct model_scope *s = r->scopes == 0 ? NULL :
	    &m->scopes[r->scope];

	if (s == NULL || !(is_grouped_by(by, GROUP_FILE) || is_grouped_by(by,
	    GROUP_LINE)))
		return;
	l->file = s->file;
	l->line = is_grouped_by(by, GROUP_LINE) ? s->line : 0;
	if (l->function != MODEL_NONE)
		l->function = s->function;
}

/* Returns the line of one row, before rows of one key are summed. */
static struct group_line
make_group_line(const struct model *m, const struct model_row *r, unsigned by)
{
	struct group_line l = {
		.process = MODEL_NONE, .thread = MODEL_NONE,
		.module = MODEL_NONE, .function = MODEL_NONE,
		.file = MODEL_NONE,
		.mode = row_mode(r), .count = r->count, .ns = r->ns,
		.calls = r->calls,
	};

	if (is_grouped_by(by, GROUP_PROCESS))
		l.process = r->process;
	if (is_grouped_by(by, GROUP_PROGRAM) && r->process != MODEL_NONE)
		l.program = m->processes[r->process].program;
	if (is_grouped_by(by, GROUP_THREAD)) {
		l.process = r->process;
		l.thread = r->thread;
	}
	if (by >> GROUP_MODULE != 0)
		l.module = r->module;
	if (by >> GROUP_FUNCTION != 0)
		l.function = r->function;
	if (is_grouped_by(by, GROUP_ADDRESS))
		l.address = r->address;
	l.heap = *model_heap(m, r);
	set_line_source(&l, m, r, by);
	/* Time asleep is never added to CPU time. */
	if (!is_grouped_by(by, GROUP_MODE) && l.mode == GROUP_KERNEL)
		l.mode = GROUP_USER;
	return l;
}

static bool
is_function_selected(struct model *m, uint32_t function)
{
	const struct filter *f = m->filter;
	const char *name = model_function_name(m, function);

	if (name != NULL && filter_match_text(f, FILTER_FUNCTION, name))
		return true;
	name = model_function_full_name(m, function);
	return name != NULL && filter_match_text(f, FILTER_FUNCTION, name);
}

/*
 * Returns the function of a row that FILTER_FUNCTION selects: the compiled one
 * or, where lines are known, the innermost inlined one that the filter names;
 * MODEL_NONE if none.  inlined: the row is of its innermost function alone.
 */
static uint32_t
select_function(struct model *m, const struct model_row *r, bool inlined)
{
	const uint32_t own = inlined ? model_innermost_function(m, r) :
	    r->function;

	if (!filter_is_on(m->filter, FILTER_FUNCTION) ||
	    is_function_selected(m, own))
		return own;
	if (inlined)
		return MODEL_NONE;
	for (uint32_t i = 0; i + 1 < r->scopes; i++)
		if (is_function_selected(m, m->scopes[r->scope + i].function))
			return m->scopes[r->scope + i].function;
	return MODEL_NONE;
}

/*
 * Returns whether the filters of modules and functions select the row, and sets
 * *function to the function by which they do.
 */
static bool
row_is_selected(struct model *m, const struct model_row *r, bool inlined,
    uint32_t *function)
{
	const struct filter *f = m->filter;
	const struct model_module *own = &m->modules[r->module];

	/*
	 * Rows without an address are selected by the name of their fixed
	 * module, as "[not sampled]".
	 */
	if (!filter_match_module(f, own->name, own->path))
		return false;
	m->met[FILTER_MODULE] = true;
	*function = select_function(m, r, inlined);
	if (*function == MODEL_NONE)
		return false;
	m->met[FILTER_FUNCTION] = true;
	return true;
}

/*
 * Returns whether a row has allocations of the kind that is shown.  Rows of
 * files without a heap have none.
 */
static bool
row_has_heap(const struct model *m, const struct model_row *r,
    const struct group_options *o)
{
	const struct model_heap *h = model_heap(m, r);

	if (o->callers || o->any_allocation)
		return h->total_blocks != 0 || h->mappings != 0;
	return (metric_is_mapped(m->measure) ? h->mappings :
	    h->total_blocks) != 0;
}

/*
 * Appends a line, or adds it to the last one if both have one key, as the lines
 * of neighbours among the rows mostly do.
 */
static void
append_group_line(struct group *g, const struct group_line *l)
{
	struct group_line *last;

	if (g->count == 0 || group_order_compare_keys(&g->lines[g->count - 1],
	    l) != 0) {
		g->lines[g->count++] = *l;
		return;
	}
	last = &g->lines[g->count - 1];
	last->count += l->count;
	last->ns += l->ns;
	last->calls += l->calls;
	model_heap_sum(&last->heap, &l->heap);
}

/* Merges the lines of one key. */
static void
merge_group_lines(struct group *g)
{
	const size_t count = g->count;

	if (count < 2)
		return;
	qsort(g->lines, count, sizeof(*g->lines), group_order_compare_keys);
	g->count = 0;
	for (size_t i = 0; i < count; i++)
		append_group_line(g, &g->lines[i]);
}

/*
 * Sets g->lines to a line for each key, and the totals to those of all rows.
 * Returns 0 or -ENOMEM.
 */
static int
sum_group_lines(struct group *g, struct model *m, const struct group_options *o)
{
	g->lines = calloc(m->row_count + 1, sizeof(*g->lines));
	if (g->lines == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct group_line l;
		uint32_t function;

		if (model_is_caller(r->kind) && !o->callers)
			continue;
		if (model_is_cpu(r->kind))
			g->total_ns += model_abs_time(m, r->ns);
		else
			g->total_sleep += model_abs_time(m, r->ns);
		if (model_is_heap(m) && !row_has_heap(m, r, o))
			continue;
		if (m->filter->asleep && model_is_cpu(r->kind))
			continue;
		if (!row_is_selected(m, r, o->inlined, &function))
			continue;
		l = make_group_line(m, r, o->by);
		if (l.function == r->function)
			l.function = function;
		append_group_line(g, &l);
	}
	merge_group_lines(g);
	return 0;
}

/*
 * Leaves out lines that are too small or beyond the limit, and keeps the order
 * of the others.
 */
static void
limit_group_lines(struct group *g, const struct model *m,
    const struct group_options *o)
{
	size_t kept = 0, part = 0;
	bool asleep = false;

	for (size_t i = 0; i < g->count; i++) {
		const struct group_line *l = &g->lines[i];
		bool sleep = l->mode == GROUP_SLEEP;
		double of = (double)(sleep ? g->total_sleep : g->total_ns);

		if (sleep && !asleep)
			part = 0;
		asleep = sleep;
		if ((o->top != 0 && part >= o->top) ||
		    (o->least > 0 && (double)model_abs_time(m, l->ns) * 100 <
		    o->least * of)) {
			g->hidden++;
			g->hidden_ns += sleep ? 0 : l->ns;
			continue;
		}
		part++;
		g->cpu_lines += !sleep;
		g->lines[kept++] = *l;
	}
	g->count = kept;
}

/*
 * Sets the time of each function with its callees, if that is known.  A caller
 * whose time charge_callers() has moved has nothing left, and no line.
 */
static void
add_inclusive_times(struct group *g, const struct inclusive *x)
{
	size_t kept = 0;

	if (x == NULL)
		return;
	for (size_t i = 0; i < g->count; i++) {
		struct group_line *l = &g->lines[i];

		if (l->function != MODEL_NONE)
			l->inclusive_ns = (l->mode == GROUP_SLEEP ? x->sleep :
			    x->cpu)[l->function];
		if (l->ns != 0 || l->count != 0 || l->calls != 0 ||
		    l->inclusive_ns != 0)
			g->lines[kept++] = *l;
	}
	g->count = kept;
}

int
group_make(struct group *g, struct model *m, const struct group_options *o)
{
	int ret;

	memset(g, 0, sizeof(*g));
	ret = sum_group_lines(g, m, o);
	if (ret != 0)
		return ret;
	add_inclusive_times(g, o->inclusive);
	if (o->interval != NULL)
		ret = group_interval_update(o->interval, m, g);
	if (ret != 0)
		return ret;
	group_order_sort(g->lines, g->count, m, o->sort);
	limit_group_lines(g, m, o);
	return 0;
}

void
group_free(struct group *g)
{
	free(g->lines);
	memset(g, 0, sizeof(*g));
}
