/*
 * Context: O.  Makes the call graph: functions with their callers and callees.
 * For prof --graph and the exporter of callgrind.out; see graph.h.
 *
 * Times come from stacks: the time of a path of the tree is counted once for
 * each function and once for each pair on it, even if recursion has put it
 * there several times.  Counted calls come from arcs, and have no time.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "stack/graph.h"

#include "base/compare.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "derive/library_functions.h"
#include "names/filter_names.h"

#include <stdlib.h>
#include <string.h>

struct graph_builder {
	struct graph *g;
	struct model *model;
	const struct calltree *tree;
	/* by function, for all functions of the model */
	struct graph_node *nodes;
	uint64_t *stamps;	/* last path that was added to each function */
	struct graph_edge *edges;
	size_t count, room;
	struct hash_index by_pair;		/* index of edges */
};

/*
 * Returns the edge of a pair, which is made if it is missing; NULL if memory is
 * out.
 */
static struct graph_edge *
find_edge(struct graph_builder *k, uint32_t from, uint32_t self)
{
	const uint32_t hash = hash_index_hash((uint64_t)from << 32 | self);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&k->by_pair, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (k->edges[n].from == from && k->edges[n].self == self)
			return &k->edges[n];
	if (k->count >= UINT32_MAX - 1 || vector_grow(&k->edges, k->count,
	    &k->room, sizeof(*k->edges)) != 0 || hash_index_add(&k->by_pair,
	    hash, (uint32_t)k->count) != 0)
		return NULL;
	k->edges[k->count] = (struct graph_edge) {
		.from = from, .self = self,
	};
	return &k->edges[k->count++];
}

/*
 * Adds the path that ends at a node of the tree to the functions and edges on
 * it, from the node outwards.
 */
static int
add_graph_path(struct graph_builder *k, uint32_t end)
{
	const uint64_t ns = k->tree->nodes[end].self_ns;
	const uint64_t count = k->tree->nodes[end].count;
	uint32_t callee = MODEL_NONE;

	for (uint32_t i = end; i != 0; i = k->tree->nodes[i].parent) {
		const struct calltree_node *n = &k->tree->nodes[i];
		struct graph_edge *e = NULL;

		if (callee != MODEL_NONE) {
			e = find_edge(k, n->function, callee);
			if (e == NULL)
				return -ENOMEM;
		}
		if (e != NULL && e->stamp != end) {
			e->stamp = end;
			e->ns += ns;
			e->count += count;
		}
		if (k->stamps[n->function] != end) {
			k->stamps[n->function] = end;
			k->nodes[n->function].total_ns += ns;
			k->nodes[n->function].total_count += count;
		}
		callee = n->function;
	}
	return 0;
}

/* Adds the times of all paths of the tree. */
static int
add_graph_times(struct graph_builder *k)
{
	int ret = 0;

	for (uint32_t i = 1; i < k->tree->count && ret == 0; i++) {
		const struct calltree_node *n = &k->tree->nodes[i];
		struct graph_node *own = &k->nodes[n->function];

		if (n->total_ns != 0)
			own->inlined &= n->inlined;
		if (n->self_ns == 0)
			continue;
		own->self_ns += n->self_ns;
		own->count += n->count;
		ret = add_graph_path(k, i);
	}
	return ret;
}

/* Adds the counted calls of rows to functions, and those of arcs to edges. */
static int
add_graph_calls(struct graph_builder *k)
{
	const struct model *m = k->model;

	for (size_t i = 0; i < m->row_count; i++) {
		k->nodes[m->rows[i].function].calls += m->rows[i].calls;
		if (m->rows[i].calls != 0)
			k->nodes[m->rows[i].function].inlined = false;
	}
	for (size_t i = 0; i < m->arc_count; i++) {
		struct graph_edge *e = find_edge(k,
		    model_innermost_function(m, &m->rows[m->arcs[i].from_row]),
		    m->rows[m->arcs[i].self_row].function);

		if (e == NULL)
			return -ENOMEM;
		e->calls += m->arcs[i].calls;
	}
	return 0;
}

static int
compare_edge_weights(const struct graph_edge *a, const struct graph_edge *b)
{
	int d = compare_u64(b->ns, a->ns);

	return d != 0 ? d : compare_u64(b->calls, a->calls);
}

static int
compare_callers(const void *left, const void *right)
{
	const struct graph_edge *a = left, *b = right;
	int d = compare_u64(a->self, b->self);

	if (d == 0)
		d = compare_edge_weights(a, b);
	return d != 0 ? d : compare_u64(a->from, b->from);
}

static int
compare_callees(const void *left, const void *right)
{
	const struct graph_edge *a = left, *b = right;
	int d = compare_u64(a->from, b->from);

	if (d == 0)
		d = compare_edge_weights(a, b);
	return d != 0 ? d : compare_u64(a->self, b->self);
}

/* Keeps the edges twice: sorted by callee, and by caller. */
static int
keep_edges(struct graph_builder *k)
{
	struct graph *g = k->g;

	g->callers = k->edges;
	g->callees = calloc(k->count + 1, sizeof(*g->callees));
	g->edge_count = k->count;
	k->edges = NULL;
	if (g->callees == NULL)
		return -ENOMEM;
	if (g->edge_count == 0)
		return 0;
	memcpy(g->callees, g->callers, g->edge_count * sizeof(*g->callees));
	qsort(g->callers, g->edge_count, sizeof(*g->callers), compare_callers);
	qsort(g->callees, g->edge_count, sizeof(*g->callees), compare_callees);
	return 0;
}

struct node_order {
	struct model *model;
	enum group_sort sort;
};

static int
compare_graph_names(struct model *m, uint32_t a, uint32_t b)
{
	const char *left = model_function_name(m, a);
	const char *right = model_function_name(m, b);

	return left == NULL || right == NULL ? 0 : strcmp(left, right);
}

/*
 * Sorts functions as o->sort asks; those that only start a thread come last
 * where time decides.
 */
static int
compare_graph_nodes(const void *left, const void *right, void *arg)
{
	const struct graph_node *a = left, *b = right;
	const struct node_order *o = arg;
	const struct model_function *f = o->model->functions;
	int d = 0;

	if (o->sort == GROUP_SORT_TIME || o->sort == GROUP_SORT_INCLUSIVE)
		d = compare_u64(a->start, b->start);
	if (o->sort == GROUP_SORT_NAME)
		d = compare_graph_names(o->model, a->function, b->function);
	if (o->sort == GROUP_SORT_ADDRESS)
		d = compare_u64(f[a->function].module, f[b->function].module);
	if (d == 0 && o->sort == GROUP_SORT_ADDRESS)
		d = compare_u64(f[a->function].start, f[b->function].start);
	if (o->sort == GROUP_SORT_SAMPLES)
		d = compare_u64(b->count, a->count);
	if (o->sort == GROUP_SORT_CALLS)
		d = compare_u64(b->calls, a->calls);
	if (d == 0)
		d = compare_u64(b->total_ns, a->total_ns);
	if (d == 0)
		d = compare_u64(b->self_ns, a->self_ns);
	if (d == 0)
		d = compare_graph_names(o->model, a->function, b->function);
	return d != 0 ? d : compare_u64(a->function, b->function);
}

/*
 * Returns whether the filters of modules and functions select the function;
 * sets m->met for them.
 */
static bool
node_is_selected(struct model *m, uint32_t function)
{
	const struct model_module *own =
	    &m->modules[m->functions[function].module];

	m->met[FILTER_MODULE] |= filter_match_module(m->filter, own->name,
	    own->path);
	if (!filter_names_select(m, function))
		return false;
	m->met[FILTER_FUNCTION] = true;
	return true;
}

/*
 * Selects the functions to list.  Cuts, which stand for unknown callers, are
 * not listed.
 */
static void
select_nodes(struct graph_builder *k)
{
	struct graph *g = k->g;

	g->nodes = k->nodes;
	k->nodes = NULL;
	for (size_t i = 0; i < k->model->function_count; i++) {
		const struct graph_node *n = &g->nodes[i];
		size_t callers, callees;

		graph_callers(g, n->function, &callers);
		graph_callees(g, n->function, &callees);
		if ((n->total_ns == 0 && n->calls == 0 && callers == 0 &&
		    callees == 0) || model_is_cut(
		    k->model->functions[n->function].module) ||
		    !node_is_selected(k->model, n->function))
			continue;
		g->nodes[g->count] = *n;
		g->nodes[g->count++].start =
		    n->self_ns * 100 < g->all_ns &&
		    library_functions_is_start(k->model, n->function);
	}
}

/* Leaves out functions that are too small or beyond o->top, and counts them. */
static void
limit_nodes(struct graph *g, const struct graph_options *o)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct graph_node *n = &g->nodes[i];

		if ((o->top != 0 && kept >= o->top) ||
		    ((double)n->total_ns * 100 < o->least *
		    (double)g->all_ns && !(o->keep_called && n->calls != 0)))
			g->hidden++;
		else
			g->nodes[kept++] = *n;
	}
	g->count = kept;
}

static int
init_graph_builder(struct graph_builder *k)
{
	const size_t count = k->model->function_count;

	k->nodes = calloc(count + 1, sizeof(*k->nodes));
	k->stamps = calloc(count + 1, sizeof(*k->stamps));
	if (k->nodes == NULL || k->stamps == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		k->nodes[i] = (struct graph_node) {
			.function = i, .inlined = true,
		};
	return 0;
}

int
graph_make(struct graph *g, struct model *m, const struct calltree *t,
    const struct graph_options *o)
{
	struct graph_builder k = { .g = g, .model = m, .tree = t };
	struct node_order by = { m, o->sort };
	int ret;

	memset(g, 0, sizeof(*g));
	g->timed = m->stacks.count != 0;
	g->all_ns = t->all_ns;
	ret = init_graph_builder(&k);
	if (ret == 0)
		ret = add_graph_times(&k);
	if (ret == 0)
		ret = add_graph_calls(&k);
	if (ret == 0)
		ret = keep_edges(&k);
	if (ret == 0) {
		select_nodes(&k);
		qsort_r(g->nodes, g->count, sizeof(*g->nodes),
		    compare_graph_nodes, &by);
		limit_nodes(g, o);
	}
	free(k.nodes);
	free(k.stamps);
	free(k.edges);
	hash_index_free(&k.by_pair);
	return ret;
}

void
graph_free(struct graph *g)
{
	free(g->nodes);
	free(g->callers);
	free(g->callees);
	memset(g, 0, sizeof(*g));
}

/*
 * Returns the function by which the array of callers or of callees is sorted.
 */
static uint32_t
edge_key(const struct graph_edge *e, bool callers)
{
	return callers ? e->self : e->from;
}

/*
 * Returns the index of the first edge of a function in an array that is sorted
 * by callee (callers = true) or caller.
 */
static size_t
find_edges(const struct graph_edge *edges, size_t count, uint32_t function,
    bool callers, size_t *found)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (edge_key(&edges[middle], callers) < function)
			low = middle + 1;
		else
			high = middle;
	}
	for (*found = 0; low + *found < count &&
	    edge_key(&edges[low + *found], callers) == function; ++*found)
		;
	return low;
}

size_t
graph_callers(const struct graph *g, uint32_t function, size_t *count)
{
	return find_edges(g->callers, g->edge_count, function, true, count);
}

size_t
graph_callees(const struct graph *g, uint32_t function, size_t *count)
{
	return find_edges(g->callees, g->edge_count, function, false, count);
}
