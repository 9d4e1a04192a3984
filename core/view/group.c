/* Context: O.  Rows of the model added up into the lines of a table. */
#define _GNU_SOURCE		/* qsort_r */
#include "group.h"

#include "order.h"

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
has(unsigned by, enum group_by what)
{
	return (by & 1u << what) != 0;
}

unsigned
group_keep(unsigned by)
{
	unsigned keep = 0;

	if (has(by, GROUP_THREAD))
		keep |= MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD;
	if (has(by, GROUP_PROCESS) || has(by, GROUP_PROGRAM))
		keep |= MODEL_KEEP_PROCESS;
	if (has(by, GROUP_FILE) || has(by, GROUP_LINE))
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

/* Where it is in the source, and so in which of the inlined functions. */
static void
place_in_source(struct group_line *l, const struct model *m,
    const struct model_row *r, unsigned by)
{
	const struct model_scope *s = r->scopes == 0 ? NULL :
	    &m->scopes[r->scope];

	if (s == NULL || !(has(by, GROUP_FILE) || has(by, GROUP_LINE)))
		return;
	l->file = s->file;
	l->line = has(by, GROUP_LINE) ? s->line : 0;
	if (l->function != MODEL_NONE)
		l->function = s->function;
}

static struct group_line
line_of_row(const struct model *m, const struct model_row *r, unsigned by)
{
	struct group_line l = {
		.process = MODEL_NONE, .thread = MODEL_NONE,
		.module = MODEL_NONE, .function = MODEL_NONE,
		.file = MODEL_NONE,
		.mode = row_mode(r), .count = r->count, .ns = r->ns,
		.calls = r->calls,
	};

	if (has(by, GROUP_PROCESS))
		l.process = r->process;
	if (has(by, GROUP_PROGRAM) && r->process != MODEL_NONE)
		l.program = m->processes[r->process].program;
	if (has(by, GROUP_THREAD)) {
		l.process = r->process;
		l.thread = r->thread;
	}
	if (by >> GROUP_MODULE != 0)
		l.module = r->module;
	if (by >> GROUP_FUNCTION != 0)
		l.function = r->function;
	if (has(by, GROUP_ADDRESS))
		l.address = r->address;
	l.heap = *model_heap(m, r);
	place_in_source(&l, m, r, by);
	/* Time asleep is never added to CPU time. */
	if (!has(by, GROUP_MODE) && l.mode == GROUP_KERNEL)
		l.mode = GROUP_USER;
	return l;
}

static int
line_compare_key(const void *left, const void *right)
{
	const struct group_line *a = left, *b = right;
	int d = order(a->mode, b->mode);

	if (d == 0)
		d = order(a->process, b->process);
	if (d == 0 && a->program != b->program)
		d = a->program == NULL ? -1 : b->program == NULL ? 1 :
		    strcmp(a->program, b->program);
	if (d == 0)
		d = order(a->thread, b->thread);
	if (d == 0)
		d = order(a->module, b->module);
	if (d == 0)
		d = order(a->function, b->function);
	if (d == 0)
		d = order(a->file, b->file);
	if (d == 0)
		d = order(a->line, b->line);
	return d != 0 ? d : order(a->address, b->address);
}

static bool
row_is_of_function(struct model *m, const struct model_row *r)
{
	const struct filter *f = m->filter;
	const char *name;

	if (!filter_is_on(f, FILTER_FUNCTION))
		return true;
	name = model_function_shown(m, r->function);
	if (name != NULL && filter_text(f, FILTER_FUNCTION, name))
		return true;
	name = model_function_full(m, r->function);
	return name != NULL && filter_text(f, FILTER_FUNCTION, name);
}

static bool
row_is_wanted(struct model *m, const struct model_row *r)
{
	const struct filter *f = m->filter;
	const struct model_module *own = &m->modules[r->module];

	/* Not sampled: in no module and no function that one could name. */
	if (!filter_text(f, FILTER_MODULE, own->name) &&
	    !filter_text(f, FILTER_MODULE, own->path))
		return false;
	m->met[FILTER_MODULE] = true;
	if (!row_is_of_function(m, r))
		return false;
	m->met[FILTER_FUNCTION] = true;
	return true;
}

/* Not of a file without a heap, nor of the other kind. */
static bool
has_heap(const struct model *m, const struct model_row *r,
    const struct group_options *o)
{
	const struct model_heap *h = model_heap(m, r);

	if (o->callers || o->whole_heap)
		return h->total_blocks != 0 || h->mappings != 0;
	return (measure_is_mapped(m->measure) ? h->mappings :
	    h->total_blocks) != 0;
}

static int
group_add(struct group *g, struct model *m, const struct group_options *o)
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
			g->total_ns += model_size(m, r->ns);
		else
			g->total_sleep += model_size(m, r->ns);
		if (model_is_heap(m) && !has_heap(m, r, o))
			continue;
		if (row_is_wanted(m, r))
			g->lines[g->count++] = line_of_row(m, r, o->by);
	}
	if (g->count < 2)
		return 0;
	qsort(g->lines, g->count, sizeof(*g->lines), line_compare_key);
	for (size_t i = 1; i < g->count; i++) {
		struct group_line *last = &g->lines[kept];

		if (line_compare_key(last, &g->lines[i]) == 0) {
			last->count += g->lines[i].count;
			last->ns += g->lines[i].ns;
			last->calls += g->lines[i].calls;
			model_sum_heap(&last->heap, &g->lines[i].heap);
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

/* Of a line that has no other name: who it is of. */
static int
line_compare_who(const struct model *m, const struct group_line *a,
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
line_compare_name(struct model *m, const struct group_line *a,
    const struct group_line *b)
{
	const char *left, *right;
	int d;

	if (a->file != MODEL_NONE && b->file != MODEL_NONE) {
		d = strcmp(m->sources.paths.all[a->file],
		    m->sources.paths.all[b->file]);
		return d != 0 ? d : order(a->line, b->line);
	}
	if (a->function != MODEL_NONE && b->function != MODEL_NONE) {
		left = model_function_shown(m, a->function);
		right = model_function_shown(m, b->function);
		return left == NULL || right == NULL ? 0 :
		    strcmp(left, right);
	}
	if (a->module != MODEL_NONE && b->module != MODEL_NONE)
		return strcmp(m->modules[a->module].name,
		    m->modules[b->module].name);
	if (a->program != NULL && b->program != NULL)
		return strcmp(a->program, b->program);
	return line_compare_who(m, a, b);
}

static int
line_compare_place(const struct model *m, const struct group_line *a,
    const struct group_line *b)
{
	int d = order(a->module, b->module);

	if (d == 0 && a->function != MODEL_NONE && b->function != MODEL_NONE)
		d = order(m->functions[a->function].start,
		    m->functions[b->function].start);
	if (d == 0 && a->file == b->file)
		d = order(a->line, b->line);
	return d != 0 ? d : order(a->address, b->address);
}

static int
line_compare(const void *left, const void *right, void *arg)
{
	const struct group_line *a = left, *b = right;
	const struct group_order *o = arg;
	int d = order(a->mode == GROUP_SLEEP, b->mode == GROUP_SLEEP);

	if (d == 0 && o->sort == GROUP_SORT_NAME)
		d = line_compare_name(o->model, a, b);
	if (d == 0 && o->sort == GROUP_SORT_ADDRESS)
		d = line_compare_place(o->model, a, b);
	if (d == 0 && o->sort == GROUP_SORT_SAMPLES)
		d = order(model_size(o->model, b->count),
		    model_size(o->model, a->count));
	if (d == 0 && o->sort == GROUP_SORT_CALLS)
		d = order(b->calls, a->calls);
	if (d == 0)
		d = order(model_size(o->model, b->ns),
		    model_size(o->model, a->ns));
	if (d == 0)
		d = line_compare_name(o->model, a, b);
	return d != 0 ? d : line_compare_key(a, b);
}

/* Leave out what is too small or too far down, keeping the order. */
static void
group_cut(struct group *g, const struct model *m,
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
		    (o->least > 0 && (double)model_size(m, l->ns) * 100 <
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
	ret = group_add(g, m, o);
	if (ret != 0)
		return ret;
	if (g->count > 1)
		qsort_r(g->lines, g->count, sizeof(*g->lines), line_compare,
		    &by);
	group_cut(g, m, o);
	return 0;
}

void
group_free(struct group *g)
{
	free(g->lines);
	memset(g, 0, sizeof(*g));
}
