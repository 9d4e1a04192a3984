/* Context: O.  What a page is made of: a tree of stacks, and samples at it. */
#include "pagetree.h"

#include "grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* While a model is added. */
struct adding {
	struct pagetree *tree;
	struct samples *in;
	uint32_t *functions;	/* by those of the model: their number, + 1 */
	uint32_t *processes;	/* by those: their number */
};

/*
 * The same as for --diff: by the name that is stored, as what is shown may be
 * cut differently in each, and by the file's name, as a build elsewhere is
 * another path.  UINT32_MAX: no memory.
 */
static uint32_t
called(struct adding *a, uint32_t function, const char *shown)
{
	struct model *m = a->in->model;
	const struct model_function *f = &m->functions[function];
	char *key = NULL;
	const char *kept;
	size_t bytes;
	FILE *to = open_memstream(&key, &bytes);

	if (to == NULL)
		return UINT32_MAX;
	fprintf(to, "%s\037%s", f->named ? f->name : shown,
	    m->modules[f->module].name);
	kept = fclose(to) == 0 ? arena_copy(&m->arena, key, bytes) : NULL;
	free(key);
	return kept == NULL ? UINT32_MAX :
	    strings_add(&a->tree->called, kept);
}

/* UINT32_MAX: no memory. */
static uint32_t
add_function(struct adding *a, uint32_t function)
{
	struct pagetree *t = a->tree;
	struct model *m = a->in->model;
	const uint32_t module = m->functions[function].module;
	const char *shown = model_function_shown(m, function);
	uint32_t n = (uint32_t)t->function_count;

	if (shown == NULL)
		shown = "?";
	if (t->by_name)
		n = called(a, function, shown);
	if (n < t->function_count)
		return n;
	if (n == UINT32_MAX || grow(&t->functions, n, &t->function_room,
	    sizeof(*t->functions)) != 0)
		return UINT32_MAX;
	t->functions[n].name = shown;
	t->functions[n].module = t->by_name ? m->modules[module].name :
	    model_module_shown(m, module);
	t->function_count++;
	return n;
}

/* UINT32_MAX: no memory. */
static uint32_t
number_of(struct adding *a, uint32_t function)
{
	uint32_t *number = &a->functions[function];

	if (*number == 0)
		*number = add_function(a, function) + 1;
	return *number - 1;
}

/* UINT32_MAX: no memory. */
static uint32_t
child(struct adding *a, uint32_t parent, const struct samples_frame *f)
{
	struct pagetree *t = a->tree;
	const uint32_t function = number_of(a, f->function);
	const uint32_t hash = finder_hash((uint64_t)parent << 32 | function);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&t->by_key, hash, &at)) !=
	    FINDER_NONE;)
		if (t->nodes[n].parent == parent &&
		    t->nodes[n].function == function) {
			t->nodes[n].inlined &= f->inlined;
			return n;
		}
	if (function == UINT32_MAX || t->node_count >= UINT32_MAX - 1 ||
	    grow(&t->nodes, t->node_count, &t->node_room,
	    sizeof(*t->nodes)) != 0 ||
	    finder_add(&t->by_key, hash, (uint32_t)t->node_count) != 0)
		return UINT32_MAX;
	t->nodes[t->node_count] = (struct pagetree_node) {
		.parent = parent, .function = function, .inlined = f->inlined,
	};
	return (uint32_t)t->node_count++;
}

/* Threads have other numbers in each run, not other names.  NULL: no memory. */
static const char *
name_thread(struct adding *a, const struct model_row *r,
    struct pagetree_thread *own)
{
	own->name = r->thread != MODEL_NONE ? samples_thread(a->in, r->thread) :
	    model_is_heap(a->in->model) ? "all threads" : "[not sampled]";
	if (own->name == NULL)
		return NULL;
	own->key = r->thread;
	if (r->thread == MODEL_NONE)
		return own->name;
	if (!a->tree->by_name) {
		own->tid = a->in->model->threads[r->thread].thread.tid;
		return own->name;
	}
	own->key = strings_add(&a->tree->names, own->name);
	return own->key == UINT32_MAX ? NULL : own->name;
}

/* UINT32_MAX: no memory. */
static uint32_t
thread_of(struct adding *a, const struct model_row *r)
{
	struct pagetree *t = a->tree;
	struct pagetree_thread own = {
		.process = r->process == MODEL_NONE ? MODEL_NONE :
		    a->processes[r->process],
	};
	uint32_t hash, n;

	if (name_thread(a, r, &own) == NULL)
		return UINT32_MAX;
	hash = finder_hash((uint64_t)own.process << 32 | own.key);
	for (size_t at = hash; (n = finder_next(&t->by_thread, hash, &at)) !=
	    FINDER_NONE;)
		if (t->threads[n].process == own.process &&
		    t->threads[n].key == own.key)
			return n;
	if (grow(&t->threads, t->thread_count, &t->thread_room,
	    sizeof(*t->threads)) != 0 ||
	    finder_add(&t->by_thread, hash, (uint32_t)t->thread_count) != 0)
		return UINT32_MAX;
	t->threads[t->thread_count] = own;
	return (uint32_t)t->thread_count++;
}

static int
add_sample(struct adding *a, struct pagetree_samples *out, size_t row)
{
	const struct model_row *r = &a->in->model->rows[row];
	struct pagetree_sample s = {
		.ns = r->ns, .count = r->count, .row = (uint32_t)row,
	};
	int ret = samples_frames(a->in);

	if (ret != 0)
		return ret;
	s.thread = thread_of(a, r);
	for (size_t i = a->in->frame_count; i-- > 0 && s.node != UINT32_MAX;)
		s.node = child(a, s.node, &a->in->frames[i]);
	if (s.node == UINT32_MAX || s.thread == UINT32_MAX ||
	    grow(&out->all, out->count, &out->room, sizeof(*out->all)) != 0)
		return -ENOMEM;
	out->all[out->count++] = s;
	return 0;
}

/* 0 or -ENOMEM. */
static int
add_process(struct adding *a, size_t i)
{
	struct pagetree *t = a->tree;
	const struct model_process *p = &a->in->model->processes[i];
	const uint32_t n = t->by_name ? strings_add(&t->programs, p->program) :
	    (uint32_t)t->process_count;

	a->processes[i] = n;
	if (n < t->process_count)
		return 0;
	if (n == UINT32_MAX || grow(&t->processes, n, &t->process_room,
	    sizeof(*t->processes)) != 0)
		return -ENOMEM;
	t->processes[n] = (struct pagetree_process) {
		.program = p->program, .pid = t->by_name ? 0 : p->pid,
	};
	t->process_count++;
	return 0;
}

int
pagetree_add(struct pagetree *t, struct samples *in,
    struct pagetree_samples *out, uint32_t **numbers)
{
	const struct model *m = in->model;
	struct adding a = { .tree = t, .in = in };
	int ret = 0;

	a.functions = calloc(m->function_count + 1, sizeof(*a.functions));
	a.processes = calloc(m->process_count + 1, sizeof(*a.processes));
	*numbers = a.functions;
	if (a.functions == NULL || a.processes == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < m->process_count && ret == 0; i++)
		ret = add_process(&a, i);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (samples_path(in, i))
			ret = add_sample(&a, out, i);
	free(a.processes);
	return ret;
}

int
pagetree_init(struct pagetree *t, bool by_name)
{
	*t = (struct pagetree) { .by_name = by_name };
	if (grow(&t->nodes, 0, &t->node_room, sizeof(*t->nodes)) != 0)
		return -ENOMEM;
	t->nodes[t->node_count++] = (struct pagetree_node) { .parent = 0 };
	return 0;
}

void
pagetree_free(struct pagetree *t)
{
	finder_free(&t->by_key);
	finder_free(&t->by_thread);
	strings_free(&t->called);
	strings_free(&t->programs);
	strings_free(&t->names);
	free(t->nodes);
	free(t->functions);
	free(t->processes);
	free(t->threads);
}
