/* Context: O.  Sums the rows of the model to the lines of a table. */
#define _GNU_SOURCE		/* qsort_r */
#include "table/group.h"

#include "base/compare.h"

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

static int
compare_line_keys(const void *left, const void *right)
{
	const struct group_line *a = left, *b = right;
	int d = compare_u64(a->mode, b->mode);

	if (d == 0)
		d = compare_u64(a->process, b->process);
	if (d == 0 && a->program != b->program)
		d = a->program == NULL ? -1 : b->program == NULL ? 1 :
		    strcmp(a->program, b->program);
	if (d == 0)
		d = compare_u64(a->thread, b->thread);
	if (d == 0)
		d = compare_u64(a->module, b->module);
	if (d == 0)
		d = compare_u64(a->function, b->function);
	if (d == 0)
		d = compare_u64(a->file, b->file);
	if (d == 0)
		d = compare_u64(a->line, b->line);
	return d != 0 ? d : compare_u64(a->address, b->address);
}

static bool
row_matches_function(struct model *m, const struct model_row *r)
{
	const struct filter *f = m->filter;
	const char *name;

	if (!filter_is_on(f, FILTER_FUNCTION))
		return true;
	name = model_function_name(m, r->function);
	if (name != NULL && filter_match_text(f, FILTER_FUNCTION, name))
		return true;
	name = model_function_full_name(m, r->function);
	return name != NULL && filter_match_text(f, FILTER_FUNCTION, name);
}

static bool
row_is_selected(struct model *m, const struct model_row *r)
{
	const struct filter *f = m->filter;
	const struct model_module *own = &m->modules[r->module];

	/*
	 * Time without samples has no module or function that a user could
	 * name.
	 */
	if (!filter_match_text(f, FILTER_MODULE, own->name) &&
	    !filter_match_text(f, FILTER_MODULE, own->path))
		return false;
	m->met[FILTER_MODULE] = true;
	if (!row_matches_function(m, r))
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

	if (o->callers || o->whole_heap)
		return h->total_blocks != 0 || h->mappings != 0;
	return (metric_is_mapped(m->measure) ? h->mappings :
	    h->total_blocks) != 0;
}

static int
sum_group_lines(struct group *g, struct model *m, const struct group_options *o)
{
	size_t kept = 0;

	g->lines = calloc(m->row_count + 1, sizeof(*g->lines));
	if (g->lines == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (model_is_caller(r->kind) && !o->callers)
			continue;
		if (model_is_cpu(r->kind))
			g->total_ns += model_abs_time(m, r->ns);
		else
			g->total_sleep += model_abs_time(m, r->ns);
		if (model_is_heap(m) && !row_has_heap(m, r, o))
			continue;
		if (row_is_selected(m, r))
			g->lines[g->count++] = make_group_line(m, r, o->by);
	}
	if (g->count < 2)
		return 0;
	qsort(g->lines, g->count, sizeof(*g->lines), compare_line_keys);
	for (size_t i = 1; i < g->count; i++) {
		struct group_line *last = &g->lines[kept];

		if (compare_line_keys(last, &g->lines[i]) == 0) {
			last->count += g->lines[i].count;
			last->ns += g->lines[i].ns;
			last->calls += g->lines[i].calls;
			model_heap_sum(&last->heap, &g->lines[i].heap);
		} else {
			g->lines[++kept] = g->lines[i];
		}
	}
	g->count = kept + 1;
	return 0;
}

struct group_order {
	struct model *model;
	enum group_sort sort;
};

/* Compares lines without other names by their process or thread. */
static int
compare_line_owners(const struct model *m, const struct group_line *a,
    const struct group_line *b)
{
	const struct format_thread *left, *right;

	if (a->thread != MODEL_NONE && b->thread != MODEL_NONE) {
		left = &m->threads[a->thread].thread;
		right = &m->threads[b->thread].thread;
		return strncmp(left->name, right->name, sizeof(left->name));
	}
	if (a->process != MODEL_NONE && b->process != MODEL_NONE)
		return strcmp(m->processes[a->process].program,
		    m->processes[b->process].program);
	return 0;
}

static int
compare_line_names(struct model *m, const struct group_line *a,
    const struct group_line *b)
{
	const char *left, *right;
	int d;

	if (a->file != MODEL_NONE && b->file != MODEL_NONE) {
		d = strcmp(m->sources.paths.all[a->file],
		    m->sources.paths.all[b->file]);
		return d != 0 ? d : compare_u64(a->line, b->line);
	}
	if (a->function != MODEL_NONE && b->function != MODEL_NONE) {
		left = model_function_name(m, a->function);
		right = model_function_name(m, b->function);
		return left == NULL || right == NULL ? 0 :
		    strcmp(left, right);
	}
	if (a->module != MODEL_NONE && b->module != MODEL_NONE)
		return strcmp(m->modules[a->module].name,
		    m->modules[b->module].name);
	if (a->program != NULL && b->program != NULL)
		return strcmp(a->program, b->program);
	return compare_line_owners(m, a, b);
}

static int
compare_line_addresses(const struct model *m, const struct group_line *a,
    const struct group_line *b)
{
	int d = compare_u64(a->module, b->module);

	if (d == 0 && a->function != MODEL_NONE && b->function != MODEL_NONE)
		d = compare_u64(m->functions[a->function].start,
		    m->functions[b->function].start);
	if (d == 0 && a->file == b->file)
		d = compare_u64(a->line, b->line);
	return d != 0 ? d : compare_u64(a->address, b->address);
}

static int
compare_group_lines(const void *left, const void *right, void *arg)
{
	const struct group_line *a = left, *b = right;
	const struct group_order *o = arg;
	int d = compare_u64(a->mode == GROUP_SLEEP, b->mode == GROUP_SLEEP);

	if (d == 0 && o->sort == GROUP_SORT_NAME)
		d = compare_line_names(o->model, a, b);
	if (d == 0 && o->sort == GROUP_SORT_ADDRESS)
		d = compare_line_addresses(o->model, a, b);
	if (d == 0 && o->sort == GROUP_SORT_SAMPLES)
		d = compare_u64(model_abs_time(o->model, b->count),
		    model_abs_time(o->model, a->count));
	if (d == 0 && o->sort == GROUP_SORT_CALLS)
		d = compare_u64(b->calls, a->calls);
	if (d == 0)
		d = compare_u64(model_abs_time(o->model, b->ns),
		    model_abs_time(o->model, a->ns));
	if (d == 0)
		d = compare_line_names(o->model, a, b);
	return d != 0 ? d : compare_line_keys(a, b);
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

int
group_make(struct group *g, struct model *m, const struct group_options *o)
{
	struct group_order by = { .model = m, .sort = o->sort };
	int ret;

	memset(g, 0, sizeof(*g));
	ret = sum_group_lines(g, m, o);
	if (ret != 0)
		return ret;
	if (g->count > 1)
		qsort_r(g->lines, g->count, sizeof(*g->lines),
		    compare_group_lines, &by);
	limit_group_lines(g, m, o);
	return 0;
}

void
group_free(struct group *g)
{
	free(g->lines);
	memset(g, 0, sizeof(*g));
}
