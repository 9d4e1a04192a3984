/*
 * Context: O.  Makes the tree of callers of a function, for tprof top;
 * top_table_make() calls top_callers_make(), see top_table.h.
 */
#include "top/top_table.h"

#include "base/compare.h"
#include "base/vector.h"

#include <string.h>

/*
 * Percent of the function's weight that a branch must have; smaller branches
 * share one line.
 */
#define LEAST		1.0

/* Most callers of a path. */
#define DEEPEST		200u

struct branch {
	uint32_t parent, function;
	uint32_t place;		/* a place with the function's name */
	/* its first child, and its next sibling; 0 = none */
	uint32_t first, next;
	struct aggregate_value value;
};

/* The tree.  all[0] is the function itself, whose parent is HASH_INDEX_NONE. */
struct caller_tree {
	struct branch *all;
	size_t count, room;
	struct hash_index by_key;
};

/*
 * Returns the branch of that function below `parent`, which is made if it is
 * missing; HASH_INDEX_NONE if memory is out.
 */
static uint32_t
add_branch(struct caller_tree *t, uint32_t parent, uint32_t function,
    uint32_t place)
{
	const uint32_t hash =
	    hash_index_hash((uint64_t)parent << 32 | function);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->all[n].parent == parent &&
		    t->all[n].function == function)
			return n;
	if (vector_grow(&t->all, t->count, &t->room, sizeof(*t->all)) != 0 ||
	    hash_index_add(&t->by_key, hash, (uint32_t)t->count) != 0)
		return HASH_INDEX_NONE;
	n = (uint32_t)t->count++;
	t->all[n] = (struct branch) {
		.parent = parent, .function = function, .place = place,
	};
	if (n != 0) {
		t->all[n].next = t->all[parent].first;
		t->all[parent].first = n;
	}
	return n;
}

/*
 * Adds the path of a cell.  A function that calls itself has a branch for each
 * call that was seen.
 */
static int
add_caller_path(struct caller_tree *t, const struct top_input *in,
    const struct aggregate_cell *own, const struct aggregate_value *v)
{
	const struct aggregate_node *nodes = in->aggregate->nodes;
	uint32_t at = own->key.node, branch = HASH_INDEX_NONE;
	unsigned depth = 0;

	for (; at != 0 && depth < DEEPEST; at = nodes[at].caller, depth++) {
		const struct name_cache_name n = name_cache_get(in->names,
		    nodes[at].place);

		branch = add_branch(t, branch, n.function, nodes[at].place);
		if (branch == HASH_INDEX_NONE)
			return -ENOMEM;
		t->all[branch].value.count += v->count;
		t->all[branch].value.weight += v->weight;
	}
	return 0;
}

static int
add_branch_line(struct top_table *t, const struct top_input *in,
    const struct branch *b, unsigned depth, bool plain)
{
	const struct name_cache_name n = name_cache_get(in->names, b->place);

	if (vector_grow(&t->lines, t->count, &t->room, sizeof(*t->lines)) != 0)
		return -ENOMEM;
	t->lines[t->count] = (struct top_line) {
		.key = t->count, .name = n.text, .module = n.module,
		.kernel = n.kernel, .plain = plain, .depth = depth,
		.process = HASH_INDEX_NONE, .tid = HASH_INDEX_NONE,
		.function = n.function, .value = b->value,
	};
	t->count++;
	return 0;
}

static int
add_rest_line(struct top_table *t, const struct aggregate_value *rest,
    const char *name, unsigned depth)
{
	const size_t n = t->count;

	if (vector_grow(&t->lines, n, &t->room, sizeof(*t->lines)) != 0)
		return -ENOMEM;
	t->lines[t->count++] = (struct top_line) {
		.key = n, .name = name, .module = "", .depth = depth,
		.process = HASH_INDEX_NONE, .tid = HASH_INDEX_NONE,
		.function = HASH_INDEX_NONE, .value = *rest,
	};
	return 0;
}

/* Takes the branch with the largest weight out of a list and returns it. */
static uint32_t
take_largest_branch(struct caller_tree *t, uint32_t *first)
{
	uint32_t *best = first, own;

	for (uint32_t *at = first; *at != 0; at = &t->all[*at].next)
		if (t->all[*at].value.weight > t->all[*best].value.weight)
			best = at;
	own = *best;
	*best = t->all[own].next;
	return own;
}

/*
 * Adds lines for the branches below `of`.  A chain of callers without a fork
 * stays in one column; where there are several callers, each is indented by a
 * step.
 */
static int
put_branches(struct top_table *t, const struct top_input *in,
    struct caller_tree *from, uint32_t of, unsigned depth)
{
	const uint64_t all = from->all[0].value.weight;
	struct aggregate_value rest = { 0, 0 };
	uint32_t left = from->all[of].first;
	const bool one = left != 0 && from->all[left].next == 0 &&
	    from->all[left].value.weight == from->all[of].value.weight;
	int ret = 0;

	while (left != 0 && ret == 0) {
		const uint32_t n = take_largest_branch(from, &left);
		const struct branch *b = &from->all[n];

		if ((double)b->value.weight * 100 < LEAST * (double)all) {
			rest.count += b->value.count;
			rest.weight += b->value.weight;
			continue;
		}
		ret = add_branch_line(t, in, b, depth + !one, one);
		if (ret == 0)
			ret = put_branches(t, in, from, n, depth + !one);
	}
	return ret == 0 && rest.count != 0 ? add_rest_line(t, &rest, "[others]",
	    depth + 1) : ret;
}

/*
 * Adds a line for callers of the function that are not known.  Farther out, a
 * stack ends where the thread began.
 */
static int
put_unknown_callers(struct top_table *t, const struct branch *of,
    const struct aggregate_value *called)
{
	const struct aggregate_value rest = {
		of->value.count - called->count,
		of->value.weight - called->weight,
	};

	return rest.weight == 0 ? 0 : add_rest_line(t, &rest,
	    "[no callers are known]", 1);
}

/* Returns the sum of the callers of the function itself. */
static struct aggregate_value
sum_children(const struct caller_tree *t)
{
	struct aggregate_value sum = { 0, 0 };

	for (uint32_t n = t->all[0].first; n != 0; n = t->all[n].next) {
		sum.count += t->all[n].value.count;
		sum.weight += t->all[n].value.weight;
	}
	return sum;
}

static int
put_caller_tree(struct top_table *t, const struct top_input *in,
    struct caller_tree *from)
{
	const struct aggregate_value called = sum_children(from);
	int ret = add_branch_line(t, in, &from->all[0], 0, false);

	t->shown = from->all[0].value;
	if (ret == 0)
		ret = put_branches(t, in, from, 0, 0);
	return ret == 0 ? put_unknown_callers(t, &from->all[0], &called) : ret;
}

int
top_callers_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s)
{
	struct caller_tree caller_tree = { 0 };
	int ret = 0;

	t->count = 0;
	for (size_t i = 0; i < in->cell_count && ret == 0; i++) {
		const struct aggregate_cell *own = &in->cells[i];
		const struct aggregate_value v = top_value(s, own);

		if (top_cell_selected(s, own) && name_cache_get(in->names,
		    in->aggregate->nodes[own->key.node].place).function ==
		    s->callers_of)
			ret = add_caller_path(&caller_tree, in, own, &v);
	}
	if (ret == 0 && caller_tree.count != 0)
		ret = put_caller_tree(t, in, &caller_tree);
	free(caller_tree.all);
	hash_index_free(&caller_tree.by_key);
	return ret;
}
