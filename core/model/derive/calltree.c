/*
 * Context: O.  The call tree by functions, for prof's views and exporters:
 * merges the stacks of all selected rows, from the outermost caller or from the
 * innermost function.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "derive/calltree.h"

#include "base/focus.h"
#include "base/negative_time.h"
#include "base/compare.h"
#include "base/vector.h"
#include "derive/calltree_nodes.h"

#include <string.h>

/* A function at an address, with the scopes that are inlined there. */
struct spot {
	uint32_t function, scope, scopes;
};

static struct spot
spot_of_frame(const struct stack_frame *f)
{
	return (struct spot) { f->function, f->scope, f->scopes };
}

static struct spot
spot_of_row(const struct model_row *r)
{
	return (struct spot) { r->function, r->scope, r->scopes };
}

/* Returns scope `i` of a spot as a step; the outermost is the function. */
static struct calltree_step
spot_step(const struct model *m, struct spot s, uint32_t i)
{
	const struct model_scope *own = s.scopes == 0 ? NULL :
	    &m->scopes[s.scope + i];

	return (struct calltree_step) {
		.function = i + 1 < s.scopes ? own->function : s.function,
		.inlined = i + 1 < s.scopes,
		.file = own == NULL ? MODEL_NONE : own->file,
		.line = own == NULL ? 0 : own->line,
	};
}

static bool
is_of_library(const struct calltree *t, uint32_t function)
{
	return t->library != NULL && t->library[function];
}

/*
 * Adds a function below the end of a path.  It is folded if both it and its
 * caller are of a library.
 */
static int
add_callee(struct calltree *t, struct calltree_end *at,
    const struct calltree_step *s)
{
	const bool library = is_of_library(t, s->function);
	const bool fold = library && at->library;

	at->library = library;
	return calltree_nodes_add(t, at, s, fold);
}

/*
 * Adds the function of a spot below the end of a path, and below it the
 * functions that it has inlined.
 */
static int
add_outside_in(struct calltree *t, const struct model *m,
    struct calltree_end *at, struct spot s)
{
	int ret = 0;

	for (uint32_t i = s.scopes == 0 ? 1 : s.scopes; i-- > 0 && ret == 0;) {
		const struct calltree_step own = spot_step(m, s, i);

		ret = add_callee(t, at, &own);
	}
	return ret;
}

/*
 * Sets made[f] to the end of the path of each frame.  Callers come before the
 * frames that they called, so their ends are known.
 */
static int
make_frame_nodes(struct calltree *t, const struct model *m,
    struct calltree_end *made)
{
	int ret = 0;

	for (size_t i = 1; i < m->stacks.count && ret == 0; i++) {
		const struct stack_frame *f = &m->stacks.frames[i];

		made[i] = made[f->caller];
		ret = add_outside_in(t, m, &made[i], spot_of_frame(f));
	}
	return ret;
}

static int
add_path_step(struct calltree *t, const struct calltree_step *s)
{
	if (vector_grow(&t->path, t->path_count, &t->path_room,
	    sizeof(*t->path)) != 0)
		return -ENOMEM;
	t->path[t->path_count++] = *s;
	return 0;
}

static int
add_path_spot(struct calltree *t, const struct model *m, struct spot s)
{
	const uint32_t count = s.scopes == 0 ? 1 : s.scopes;
	int ret = 0;

	for (uint32_t i = 0; i < count && ret == 0; i++) {
		const struct calltree_step own = spot_step(m, s, i);

		ret = add_path_step(t, &own);
	}
	return ret;
}

/* Sets t->path to the functions of a row, from the innermost to its root. */
static int
list_path(struct calltree *t, const struct model *m, const struct model_row *r)
{
	const struct calltree_step root = {
		.function = r->root - 1, .file = MODEL_NONE,
	};
	int ret;

	t->path_count = 0;
	ret = add_path_spot(t, m, spot_of_row(r));
	for (uint32_t f = r->stack; f != 0 && ret == 0;
	    f = m->stacks.frames[f].caller)
		ret = add_path_spot(t, m, spot_of_frame(&m->stacks.frames[f]));
	return ret == 0 && r->root != 0 ? add_path_step(t, &root) : ret;
}

/* Adds the path of a row that has a root; see regroup_frames.h. */
static int
add_rooted(struct calltree *t, const struct model *m,
    const struct model_row *r, struct calltree_end *at)
{
	int ret = list_path(t, m, r);

	for (size_t i = t->path_count; i-- > 0 && ret == 0;)
		ret = add_callee(t, at, &t->path[i]);
	return ret;
}

static int
add_top_down(struct calltree *t, const struct model *m,
    const struct model_row *r, const struct calltree_end *made,
    struct calltree_end *at)
{
	if (r->root != 0)
		return add_rooted(t, m, r, at);
	*at = made[r->stack];
	return add_outside_in(t, m, at, spot_of_row(r));
}

/*
 * Adds a path from its innermost function.  The function that has the time
 * stands for itself, as does one of a library that another function has called.
 */
static int
add_bottom_up(struct calltree *t, const struct model *m,
    const struct model_row *r, struct calltree_end *at)
{
	int ret = list_path(t, m, r);

	for (size_t i = 0; i < t->path_count && ret == 0; i++)
		ret = calltree_nodes_add(t, at, &t->path[i], i != 0 &&
		    i + 1 < t->path_count &&
		    is_of_library(t, t->path[i].function) &&
		    is_of_library(t, t->path[i + 1].function));
	return ret;
}

static int
add_calltree_row(struct calltree *t, const struct model *m,
    const struct model_row *r, enum calltree_direction way,
    const struct calltree_end *made)
{
	struct calltree_end at = { .node = 0 };
	int ret = way == CALLTREE_TOP_DOWN ? add_top_down(t, m, r, made, &at) :
	    add_bottom_up(t, m, r, &at);

	if (ret != 0)
		return ret;
	calltree_nodes_end(t, &at);
	t->nodes[at.node].self_ns += r->ns;
	t->nodes[at.node].count += r->count;
	return 0;
}

/* Adds all rows that `focus` selects.  Returns 0 or -ENOMEM. */
static int
add_calltree_rows(struct calltree *t, struct model *m,
    enum calltree_direction way, const struct focus *focus)
{
	struct calltree_end *made = calloc(m->stacks.count + 1, sizeof(*made));
	int ret = made == NULL ? -ENOMEM : 0;

	t->merge = m->coarse;
	if (ret == 0 && way == CALLTREE_TOP_DOWN && !m->rooted)
		ret = make_frame_nodes(t, m, made);
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];

		if (model_is_cpu(r->kind) == m->filter->asleep) {
			t->asleep_ns += m->filter->asleep ? 0 : r->ns;
			continue;
		}
		if (r->ns == 0)
			continue;
		t->all_ns += r->ns;
		if (!focus_matches(focus, m, r))
			continue;
		ret = add_calltree_row(t, m, r, way, made);
	}
	free(made);
	return ret;
}

/* Returns the function to which the time of a path belongs. */
static uint32_t
path_function(const struct calltree *t, size_t node,
    enum calltree_direction way)
{
	while (way == CALLTREE_BOTTOM_UP && t->nodes[node].parent != 0)
		node = t->nodes[node].parent;
	return t->nodes[node].function;
}

/*
 * Removes paths whose time is below zero, because parts of a whole cannot be;
 * the sum of the others becomes the whole.
 */
static int
drop_negative_paths(struct calltree *t, struct model *m,
    enum calltree_direction way)
{
	int ret = 0;

	if (!model_has_signs(m))
		return 0;
	t->all_ns = 0;
	m->below_count = 0;
	for (size_t i = 1; i < t->count && ret == 0; i++) {
		struct calltree_node *n = &t->nodes[i];

		if (n->self_ns > INT64_MAX) {
			ret = negative_time_note(m, path_function(t, i, way),
			    n->self_ns);
			n->self_ns = n->count = 0;
		}
		if (n->count > INT64_MAX)
			n->count = 0;
		t->all_ns += n->self_ns;
	}
	return ret;
}

/*
 * Sums totals from the leaves to the root: a child has a higher index than its
 * parent.
 */
static void
sum_calltree_totals(struct calltree *t)
{
	for (size_t i = t->count; i-- > 0;) {
		struct calltree_node *n = &t->nodes[i];

		n->total_ns += n->self_ns;
		n->total_count += n->count;
		if (i == 0)
			break;
		t->nodes[n->parent].total_ns += n->total_ns;
		t->nodes[n->parent].total_count += n->total_count;
	}
}

static int
compare_calltree_nodes(const void *left, const void *right, void *nodes)
{
	const struct calltree_node *all = nodes;
	const uint32_t i = *(const uint32_t *)left;
	const uint32_t k = *(const uint32_t *)right;
	int d = compare_u64(all[i].parent, all[k].parent);

	if (d == 0)
		d = compare_u64(all[k].total_ns, all[i].total_ns);
	return d != 0 ? d : compare_u64(all[i].function, all[k].function);
}

/* Sorts the children of each node, most time first. */
static int
sort_calltree(struct calltree *t)
{
	t->order = calloc(t->count, sizeof(*t->order));
	if (t->order == NULL)
		return -ENOMEM;
	for (uint32_t i = 1; i < t->count; i++)
		t->order[i - 1] = i;
	if (t->count > 2)
		qsort_r(t->order, t->count - 1, sizeof(*t->order),
		    compare_calltree_nodes, t->nodes);
	for (uint32_t i = 0; i + 1 < t->count; i++) {
		const struct calltree_node *n = &t->nodes[t->order[i]];
		struct calltree_node *parent = &t->nodes[n->parent];

		/*
		 * A node without time is a frame of stacks that were not
		 * selected.
		 */
		if (n->total_ns != 0 && parent->children++ == 0)
			parent->first = i;
	}
	return 0;
}

int
calltree_make(struct calltree *t, struct model *m, enum calltree_direction way)
{
	return calltree_make_folded(t, m, way, NULL);
}

int
calltree_make_folded(struct calltree *t, struct model *m,
    enum calltree_direction way, const bool *library)
{
	struct focus focus;
	int ret;

	memset(t, 0, sizeof(*t));
	t->library = library;
	ret = vector_grow(&t->nodes, 0, &t->room, sizeof(*t->nodes));
	if (ret != 0)
		return ret;
	t->nodes[0] = (struct calltree_node) { .function = MODEL_NONE };
	t->count = 1;
	ret = focus_make(&focus, m);
	if (ret == 0)
		ret = add_calltree_rows(t, m, way, &focus);
	focus_free(&focus);
	if (ret == 0)
		ret = drop_negative_paths(t, m, way);
	if (ret != 0)
		return ret;
	sum_calltree_totals(t);
	return sort_calltree(t);
}

size_t
calltree_depth(const struct calltree *t)
{
	size_t most = 0;

	for (size_t i = 1; i < t->count; i++) {
		size_t depth = 0;

		if (t->nodes[i].children != 0)
			continue;
		for (uint32_t at = (uint32_t)i; at != 0;
		    at = t->nodes[at].parent)
			depth++;
		if (depth > most)
			most = depth;
	}
	return most;
}

void
calltree_free(struct calltree *t)
{
	free(t->nodes);
	free(t->order);
	free(t->path);
	hash_index_free(&t->by_key);
	memset(t, 0, sizeof(*t));
}
