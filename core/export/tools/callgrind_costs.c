/*
 * Context: O.  Sums up the costs of callgrind's places and calls, for
 * export_callgrind.c; see callgrind_costs.h.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "tools/callgrind_costs.h"

#include "base/compare.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Adds a cost to the entry of its key; a row that was added there already is
 * not added again.
 */
static int
add_cost(struct callgrind_costs *t, const struct callgrind_cost *c)
{
	const uint32_t n = key_table_add(&t->keys,
	    (uint64_t)c->function << 32 | c->callee,
	    (uint64_t)c->site << 32 | c->file, c->line);
	struct callgrind_cost *own;

	if (n == UINT32_MAX || vector_grow(&t->all, n, &t->room,
	    sizeof(*t->all)) != 0)
		return -ENOMEM;
	own = &t->all[n];
	if (n == t->count) {
		*own = *c;
		t->count++;
		return 0;
	}
	for (unsigned i = 0; i < t->event_count; i++)
		if (own->stamp != c->stamp)
			own->values[i] += c->values[i];
	own->stamp = c->stamp;
	return 0;
}

static uint64_t
value_of(const struct callgrind_costs *t, const struct model_row *r,
    unsigned event)
{
	return t->events[event] == METRIC_TIME ? r->ns :
	    metric_value(t->events[event], model_heap(t->in->model, r));
}

/*
 * Adds the sample of a row, to which t->in points, to all places on its stack.
 */
static int
add_sample(struct callgrind_costs *t, uint32_t row)
{
	const struct model_row *r = &t->in->model->rows[row];
	uint32_t callee = MODEL_NONE;
	int ret = sample_paths_get_frames(t->in);

	for (size_t i = 0; i < t->in->frame_count && ret == 0; i++) {
		const struct sample_paths_frame *f = &t->in->frames[i];
		struct callgrind_cost c = {
			.function = f->function, .callee = callee,
			.site = f->site, .file = f->file, .line = f->line,
			.stamp = row + 1,
		};

		if (t->file_of[f->function] == MODEL_NONE)
			t->file_of[f->function] = f->file;
		callee = f->function;
		for (unsigned k = 0; k < t->event_count; k++)
			c.values[k] = value_of(t, r, k);
		/*
		 * Recursion can put one call on a stack several times:
		 * add_cost() adds the row to it once.
		 */
		ret = add_cost(t, &c);
	}
	for (unsigned k = 0; k < t->event_count; k++)
		t->total[k] += value_of(t, r, k);
	return ret;
}

/* Adds the calls that were counted, also where no sample was taken. */
static int
add_calls(struct callgrind_costs *t)
{
	const struct model *m = t->in->model;
	int ret = 0;

	for (size_t i = 0; i < m->arc_count && ret == 0; i++) {
		const struct model_row *from = &m->rows[m->arcs[i].from_row];
		const struct model_row *self = &m->rows[m->arcs[i].self_row];
		const struct model_scope *s = from->scopes == 0 ? NULL :
		    &m->scopes[from->scope];
		const struct callgrind_cost c = {
			.function = model_innermost_function(m, from),
			.callee = self->function,
			.site = t->in->sites.of_row[m->arcs[i].from_row],
			.file = s == NULL ? MODEL_NONE : s->file,
			.line = s == NULL ? 0 : s->line,
		};

		if (t->file_of[c.function] == MODEL_NONE)
			t->file_of[c.function] = c.file;
		ret = add_cost(t, &c);
	}
	return ret;
}

static int
compare_costs(const void *left, const void *right, void *arg)
{
	const struct callgrind_cost *a = left, *b = right;
	const struct callgrind_costs *t = arg;
	int d = compare_u64(a->function, b->function);

	if (d == 0)	/* own costs first */
		d = compare_u64(a->callee + 1, b->callee + 1);
	if (d == 0)
		d = compare_u64(a->file, b->file);
	if (d == 0)
		d = compare_u64(a->line, b->line);
	return d != 0 ? d : compare_u64(t->in->sites.all[a->site].address,
	    t->in->sites.all[b->site].address);
}

/* Lists the metrics that the file has, first the one that rows weigh. */
static void
choose_events(struct callgrind_costs *t)
{
	const enum metric first = t->in->model->measure;
	enum metric next = first;

	do {
		t->events[t->event_count++] = next;
		next = model_is_heap(t->in->model) ?
		    model_heap_next_metric(t->in->model, next) : first;
	} while (next != first);
}

int
callgrind_costs_collect(struct callgrind_costs *t, struct sample_paths *in)
{
	const struct model *m = in->model;
	int ret = 0;

	t->in = in;
	choose_events(t);
	t->file_of = calloc(m->function_count + 1, sizeof(*t->file_of));
	if (t->file_of == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->function_count; i++)
		t->file_of[i] = MODEL_NONE;
	for (uint32_t i = 0; i < m->row_count && ret == 0; i++)
		if (sample_paths_get(t->in, i))
			ret = add_sample(t, i);
	if (ret == 0)
		ret = add_calls(t);
	if (t->count > 1)
		qsort_r(t->all, t->count, sizeof(*t->all), compare_costs, t);
	return ret;
}

void
callgrind_costs_free(struct callgrind_costs *t)
{
	free(t->all);
	free(t->file_of);
	key_table_free(&t->keys);
}
