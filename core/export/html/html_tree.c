/*
 * Context: O.  Makes the data of a page, for export_html.c: a tree of stacks,
 * and samples at its nodes; see html_tree.h.
 */
#define _GNU_SOURCE		/* asprintf */
#include "html/html_tree.h"

#include "base/vector.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of adding a model. */
struct html_tree_builder {
	struct html_tree *tree;
	struct sample_paths *in;
	/* By function of the model: its number in the tree + 1 */
	uint32_t *functions;
	/* By process of the model: its number in the tree */
	uint32_t *processes;
};

/*
 * Returns the number of a function that two models share, by the rule of
 * --diff.  *shown receives its name.  UINT32_MAX: no memory.
 */
static uint32_t
shared_function_number(struct html_tree_builder *a, uint32_t function,
    const char **shown)
{
	struct model *m = a->in->model;
	struct html_tree *t = a->tree;
	const char *match = common_names_function(t->common, m, function,
	    shown);
	const char *kept = NULL;
	char *key;
	int bytes;

	if (match == NULL || *shown == NULL)
		return UINT32_MAX;
	bytes = asprintf(&key, "%s\037%s", match, common_names_module(
	    t->common, m, m->functions[function].module));
	if (bytes >= 0) {
		kept = arena_copy(&m->arena, key, (size_t)bytes);
		free(key);
	}
	return kept == NULL ? UINT32_MAX : string_pool_add(&t->called, kept);
}

/* Adds a function to the tree.  Returns its number; UINT32_MAX: no memory. */
static uint32_t
add_function(struct html_tree_builder *a, uint32_t function)
{
	struct html_tree *t = a->tree;
	struct model *m = a->in->model;
	const uint32_t module = m->functions[function].module;
	const char *shown = model_function_name(m, function);
	uint32_t n = (uint32_t)t->function_count;

	if (shown == NULL)
		shown = "?";
	if (t->common != NULL)
		n = shared_function_number(a, function, &shown);
	if (n < t->function_count)
		return n;
	if (n == UINT32_MAX || vector_grow(&t->functions, n, &t->function_room,
	    sizeof(*t->functions)) != 0)
		return UINT32_MAX;
	t->functions[n] = (struct html_tree_function) { .name = shown };
	t->functions[n].module = t->common != NULL ?
	    common_names_module(t->common, m, module) :
	    model_module_name(m, module);
	t->functions[n].kind = html_kind_of_function(m, function);
	t->function_count++;
	return n;
}

/*
 * Returns the number of a function of the model, which is added when it is
 * first met.  UINT32_MAX: no memory.
 */
static uint32_t
number_of(struct html_tree_builder *a, uint32_t function)
{
	uint32_t *number = &a->functions[function];

	if (*number == 0)
		*number = add_function(a, function) + 1;
	return *number - 1;
}

/*
 * Returns the child of `parent` for a frame, which is added if there is none.
 * UINT32_MAX: no memory.
 */
static uint32_t
get_child_node(struct html_tree_builder *a, uint32_t parent,
    const struct sample_paths_frame *f)
{
	struct html_tree *t = a->tree;
	const uint32_t function = number_of(a, f->function);
	const size_t before = t->node_keys.count;
	const uint32_t n = function == UINT32_MAX ? UINT32_MAX :
	    key_table_add(&t->node_keys, parent, function, 0);

	if (n < before) {
		t->nodes[n].inlined &= f->inlined;
		return n;
	}
	if (n == UINT32_MAX || vector_grow(&t->nodes, n, &t->node_room,
	    sizeof(*t->nodes)) != 0)
		return UINT32_MAX;
	t->nodes[n] = (struct html_tree_node) {
		.parent = parent, .function = function, .inlined = f->inlined,
	};
	return n;
}

/*
 * Sets name, tid and key of own for the thread of a row; threads of one key are
 * one.  With common names the key is the name, as threads have other numbers in
 * each run, not other names.  Returns the name, or NULL if memory is out.
 */
static const char *
name_thread(struct html_tree_builder *a, const struct model_row *r,
    struct html_tree_thread *own)
{
	own->name = r->thread != MODEL_NONE ? sample_paths_thread(a->in,
	    r->thread) : model_is_heap(a->in->model) ? "all threads" :
	    "[not sampled]";
	if (own->name == NULL)
		return NULL;
	own->key = r->thread;
	if (r->thread == MODEL_NONE)
		return own->name;
	if (a->tree->common == NULL) {
		own->tid = a->in->model->threads[r->thread].thread.tid;
		return own->name;
	}
	own->key = string_pool_add(&a->tree->names, own->name);
	return own->key == UINT32_MAX ? NULL : own->name;
}

/* Returns the number of a row's thread.  UINT32_MAX: no memory. */
static uint32_t
thread_of(struct html_tree_builder *a, const struct model_row *r)
{
	struct html_tree *t = a->tree;
	struct html_tree_thread own = {
		.process = r->process == MODEL_NONE ? MODEL_NONE :
		    a->processes[r->process],
	};
	const size_t before = t->thread_keys.count;
	uint32_t n;

	if (name_thread(a, r, &own) == NULL)
		return UINT32_MAX;
	n = key_table_add(&t->thread_keys, own.process, own.key, 0);
	if (n < before)
		return n;
	if (n == UINT32_MAX || vector_grow(&t->threads, n, &t->thread_room,
	    sizeof(*t->threads)) != 0)
		return UINT32_MAX;
	t->threads[n] = own;
	return n;
}

/*
 * Adds the time of a sample to the lines of its frames.  CPU time alone says
 * which line is the hottest: time asleep is often far more, and counts 1 ns.
 */
static int
add_lines(struct html_tree_builder *a, const struct html_tree_sample *s)
{
	int ret = 0;

	for (size_t i = 0; i < a->in->frame_count && ret == 0; i++) {
		const struct sample_paths_frame *f = &a->in->frames[i];

		if (f->file != MODEL_NONE && f->line != 0)
			ret = html_lines_add(&a->tree->lines,
			    number_of(a, f->function), f->file, f->line,
			    s->asleep ? 1 : s->ns);
	}
	return ret;
}

/* Gives functions their hottest lines.  Returns 0 or -ENOMEM. */
static int
set_lines(struct html_tree *t, const struct model *m)
{
	uint32_t *best = calloc(t->function_count + 1, sizeof(*best));

	if (best == NULL)
		return -ENOMEM;
	html_lines_hottest(&t->lines, best, t->function_count);
	for (size_t i = 0; i < t->function_count; i++) {
		const struct key_table_key *k;

		if (best[i] == UINT32_MAX)
			continue;
		k = &t->lines.keys.all[best[i]];
		t->functions[i].file = m->sources.paths.all[k->b];
		t->functions[i].line = (uint32_t)k->c;
	}
	free(best);
	return 0;
}

/*
 * Returns whether frame i of the current path continues the frame that called
 * it: functions of libmon.so are one, see profiler_functions.h.
 */
static bool
continues_caller(const struct html_tree_builder *a, size_t i)
{
	const struct model *m = a->in->model;
	const struct sample_paths_frame *f = &a->in->frames[i];
	const struct model_function *own = &m->functions[f->function];

	return i + 1 < a->in->frame_count && f[0].function == f[1].function &&
	    !own->named && (m->modules[own->module].flags & FORMAT_M_OURS) != 0;
}

/* Adds the sample of a row, to which a->in points, and its stack. */
static int
add_sample(struct html_tree_builder *a, struct html_tree_samples *out,
    size_t row)
{
	const struct model_row *r = &a->in->model->rows[row];
	struct html_tree_sample s = {
		.ns = r->ns, .count = r->count, .row = (uint32_t)row,
		.asleep = !model_is_cpu(r->kind),
	};
	int ret = sample_paths_get_frames(a->in);

	if (ret != 0)
		return ret;
	s.thread = thread_of(a, r);
	for (size_t i = a->in->frame_count; i-- > 0 && s.node != UINT32_MAX;)
		if (!continues_caller(a, i))
			s.node = get_child_node(a, s.node, &a->in->frames[i]);
	if (s.node == UINT32_MAX || s.thread == UINT32_MAX ||
	    vector_grow(&out->all, out->count, &out->room,
	    sizeof(*out->all)) != 0)
		return -ENOMEM;
	out->all[out->count++] = s;
	out->some_asleep |= s.asleep;
	return a->tree->common != NULL ? 0 : add_lines(a, &s);
}

/* Adds process i of the model.  Returns 0 or -ENOMEM. */
static int
add_process(struct html_tree_builder *a, size_t i)
{
	struct html_tree *t = a->tree;
	const struct model_process *p = &a->in->model->processes[i];
	const char *program = t->common != NULL ?
	    common_names_program(t->common, p->program) : p->program;
	const uint32_t n = t->common != NULL ? string_pool_add(&t->programs,
	    program) : (uint32_t)t->process_count;

	a->processes[i] = n;
	if (n < t->process_count)
		return 0;
	if (n == UINT32_MAX || vector_grow(&t->processes, n, &t->process_room,
	    sizeof(*t->processes)) != 0)
		return -ENOMEM;
	t->processes[n] = (struct html_tree_process) {
		.program = program, .pid = t->common != NULL ? 0 : p->pid,
	};
	t->process_count++;
	return 0;
}

int
html_tree_add(struct html_tree *t, struct sample_paths *in,
    struct html_tree_samples *out, uint32_t **numbers)
{
	const struct model *m = in->model;
	struct html_tree_builder a = { .tree = t, .in = in };
	int ret = 0;

	a.functions = calloc(m->function_count + 1, sizeof(*a.functions));
	a.processes = calloc(m->process_count + 1, sizeof(*a.processes));
	*numbers = a.functions;
	if (a.functions == NULL || a.processes == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < m->process_count && ret == 0; i++)
		ret = add_process(&a, i);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (sample_paths_get(in, i))
			ret = add_sample(&a, out, i);
	if (ret == 0)
		ret = set_lines(t, m);
	free(a.processes);
	return ret;
}

int
html_tree_init(struct html_tree *t, struct common_names *common)
{
	*t = (struct html_tree) { .common = common };
	/* Node 0 has a key, too, with a parent that no other node has. */
	if (key_table_add(&t->node_keys, UINT32_MAX, 0, 0) != 0 ||
	    vector_grow(&t->nodes, 0, &t->node_room, sizeof(*t->nodes)) != 0)
		return -ENOMEM;
	t->nodes[0] = (struct html_tree_node) { .parent = 0 };
	return 0;
}

void
html_tree_free(struct html_tree *t)
{
	key_table_free(&t->node_keys);
	key_table_free(&t->thread_keys);
	html_lines_free(&t->lines);
	string_pool_free(&t->called);
	string_pool_free(&t->programs);
	string_pool_free(&t->names);
	free(t->nodes);
	free(t->functions);
	free(t->processes);
	free(t->threads);
}
