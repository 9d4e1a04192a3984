/*
 * Context: O.  The call tree by functions: merges the stacks of all selected
 * rows, from the outermost caller or from the innermost function.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "derive/calltree.h"

#include "base/focus.h"
#include "base/negative_time.h"
#include "base/compare.h"
#include "base/vector.h"

#include <string.h>

/*
 * Returns the node of a function below that parent, which is made if it is
 * missing; 0 if memory is out.
 */
static uint32_t
find_child_node(struct calltree *t, uint32_t parent, uint32_t function,
    bool inlined)
{
	const uint32_t hash =
	    hash_index_hash((uint64_t)parent << 32 | function);
	uint32_t n;

	if (t->merge && parent != 0 && t->nodes[parent].function == function)
		return parent;
	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->nodes[n].parent == parent &&
		    t->nodes[n].function == function) {
			t->nodes[n].inlined &= inlined;
			return n;
		}
	if (t->count >= UINT32_MAX - 1 || vector_grow(&t->nodes, t->count,
	    &t->room, sizeof(*t->nodes)) != 0 || hash_index_add(&t->by_key,
	    hash, (uint32_t)t->count) != 0)
		return 0;
	t->nodes[t->count] = (struct calltree_node) {
		.parent = parent, .function = function, .inlined = inlined,
	};
	return (uint32_t)t->count++;
}

/* A function at an address, with the scopes that are inlined there. */
struct spot {
	uint32_t function, scope, scopes;
};

/*
 * Adds the function below the parent, and below it the functions that it has
 * inlined.  Returns the last node; 0 if memory is out.
 */
static uint32_t
add_outside_in(struct calltree *t, const struct model *m, uint32_t parent,
    struct spot s)
{
	uint32_t node = find_child_node(t, parent, s.function, false);

	for (uint32_t i = s.scopes; i-- > 1 && node != 0;)
		node = find_child_node(t, node,
		    m->scopes[s.scope + i - 1].function, true);
	return node;
}

/*
 * Adds the innermost inlined function below the parent, and so on outwards.
 * Returns the last node; 0 if memory is out.
 */
static uint32_t
add_inside_out(struct calltree *t, const struct model *m, uint32_t parent,
    struct spot s)
{
	uint32_t node = parent;
	bool good = true;

	for (uint32_t i = 0; i + 1 < s.scopes && good; i++) {
		node = find_child_node(t, node, m->scopes[s.scope + i].function,
		    true);
		good = node != 0;
	}
	return good ? find_child_node(t, node, s.function, false) : 0;
}

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

/*
 * Sets made[f] to the node of each frame.  Callers come before the frames that
 * they called, so their nodes exist.
 */
static int
make_frame_nodes(struct calltree *t, const struct model *m, uint32_t *made)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		const struct stack_frame *f = &m->stacks.frames[i];

		made[i] = add_outside_in(t, m, made[f->caller],
		    spot_of_frame(f));
		if (made[i] == 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Makes the nodes of the row's callers below the root that the row has.
 * Returns the last one; 0 if memory is out.
 */
static uint32_t
add_caller_nodes(struct calltree *t, const struct model *m,
    const struct model_row *r)
{
	uint32_t node = find_child_node(t, 0, r->root - 1, false);

	t->path_count = 0;
	for (uint32_t f = r->stack; f != 0; f = m->stacks.frames[f].caller) {
		if (vector_grow(&t->path, t->path_count, &t->path_room,
		    sizeof(*t->path)) != 0)
			return 0;
		t->path[t->path_count++] = f;
	}
	while (t->path_count-- > 0 && node != 0)
		node = add_outside_in(t, m, node, spot_of_frame(
		    &m->stacks.frames[t->path[t->path_count]]));
	return node;
}

static int
add_top_down(struct calltree *t, const struct model *m,
    const struct model_row *r, const uint32_t *made)
{
	uint32_t node = r->root == 0 ? made[r->stack] : add_caller_nodes(t, m,
	    r);

	if (r->root == 0 || node != 0)
		node = add_outside_in(t, m, node, spot_of_row(r));
	if (node == 0)
		return -ENOMEM;
	t->nodes[node].self_ns += r->ns;
	t->nodes[node].count += r->count;
	return 0;
}

static int
add_bottom_up(struct calltree *t, const struct model *m,
    const struct model_row *r)
{
	uint32_t node = add_inside_out(t, m, 0, spot_of_row(r));

	for (uint32_t f = r->stack; f != 0 && node != 0;
	    f = m->stacks.frames[f].caller)
		node = add_inside_out(t, m, node,
		    spot_of_frame(&m->stacks.frames[f]));
	if (node != 0 && r->root != 0)
		node = find_child_node(t, node, r->root - 1, false);
	if (node == 0)
		return -ENOMEM;
	t->nodes[node].self_ns += r->ns;
	t->nodes[node].count += r->count;
	return 0;
}

static int
add_calltree_rows(struct calltree *t, struct model *m,
    enum calltree_direction way, const struct focus *focus)
{
	uint32_t *made = calloc(m->stacks.count + 1, sizeof(*made));
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
		ret = way == CALLTREE_TOP_DOWN ? add_top_down(t, m, r, made) :
		    add_bottom_up(t, m, r);
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
	struct focus focus;
	int ret;

	memset(t, 0, sizeof(*t));
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
