/*
 * Context: O.  Compares and sorts the lines of a table, for group.c; see
 * group_order.h.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "table/group_order.h"

#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

int
group_order_compare_keys(const void *left, const void *right)
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

/* Compares lines by the finest name that both have. */
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

/*
 * Compares CPU time before time asleep, then by the user's key, time and name.
 */
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
	if (d == 0 && o->sort == GROUP_SORT_INCLUSIVE)
		d = compare_u64(b->inclusive_ns, a->inclusive_ns);
	if (d == 0 && o->sort == GROUP_SORT_INTERVAL)
		d = compare_u64(b->last_ns, a->last_ns);
	if (d == 0)
		d = compare_u64(model_abs_time(o->model, b->ns),
		    model_abs_time(o->model, a->ns));
	if (d == 0)
		d = compare_u64(b->inclusive_ns, a->inclusive_ns);
	if (d == 0)
		d = compare_line_names(o->model, a, b);
	return d != 0 ? d : group_order_compare_keys(a, b);
}

void
group_order_sort(struct group_line *lines, size_t count, struct model *m,
    enum group_sort sort)
{
	struct group_order by = { .model = m, .sort = sort };

	if (count > 1)
		qsort_r(lines, count, sizeof(*lines), compare_group_lines,
		    &by);
}
