/* Context: O.  Who called a function, as a tree of tprof top. */
#include "toptable.h"

#include "grow.h"
#include "order.h"

#include <string.h>

/* Percent of the function; smaller branches are one line. */
#define LEAST		1.0
#define DEEPEST		200u

struct branch {
	uint32_t parent, function;
	uint32_t place;		/* one that has its name */
	uint32_t first, next;	/* below it, and beside it; 0 = none */
	struct census_value value;
};

/* all[0] is the function itself, whose parent is FINDER_NONE. */
struct tree {
	struct branch *all;
	size_t count, room;
	struct finder by_key;
};

static uint32_t
enter(struct tree *t, uint32_t parent, uint32_t function, uint32_t place)
{
	const uint32_t hash = finder_hash((uint64_t)parent << 32 | function);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&t->by_key, hash, &at)) !=
	    FINDER_NONE;)
		if (t->all[n].parent == parent &&
		    t->all[n].function == function)
			return n;
	if (grow(&t->all, t->count, &t->room, sizeof(*t->all)) != 0 ||
	    finder_add(&t->by_key, hash, (uint32_t)t->count) != 0)
		return FINDER_NONE;
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

/* A function that calls itself is there once for each call that was seen. */
static int
add_path(struct tree *t, const struct top_input *in,
    const struct census_cell *own, const struct census_value *v)
{
	const struct census_node *nodes = in->census->nodes;
	uint32_t at = own->key.node, branch = FINDER_NONE;
	unsigned depth = 0;

	for (; at != 0 && depth < DEEPEST; at = nodes[at].caller, depth++) {
		const struct namer_name n = namer_name(in->namer,
		    nodes[at].place);

		branch = enter(t, branch, n.function, nodes[at].place);
		if (branch == FINDER_NONE)
			return -ENOMEM;
		t->all[branch].value.count += v->count;
		t->all[branch].value.weight += v->weight;
	}
	return 0;
}

static int
add_line(struct top_table *t, const struct top_input *in,
    const struct branch *b, unsigned depth, bool plain)
{
	const struct namer_name n = namer_name(in->namer, b->place);

	if (grow(&t->lines, t->count, &t->room, sizeof(*t->lines)) != 0)
		return -ENOMEM;
	t->lines[t->count] = (struct top_line) {
		.key = t->count, .name = n.text, .module = n.module,
		.kernel = n.kernel, .plain = plain, .depth = depth,
		.process = FINDER_NONE, .tid = FINDER_NONE,
		.function = n.function, .value = b->value,
	};
	t->count++;
	return 0;
}

static int
add_rest(struct top_table *t, const struct census_value *rest,
    const char *name, unsigned depth)
{
	const size_t n = t->count;

	if (grow(&t->lines, n, &t->room, sizeof(*t->lines)) != 0)
		return -ENOMEM;
	t->lines[t->count++] = (struct top_line) {
		.key = n, .name = name, .module = "", .depth = depth,
		.process = FINDER_NONE, .tid = FINDER_NONE,
		.function = FINDER_NONE, .value = *rest,
	};
	return 0;
}

/* Its branches, the largest first: out of the list that they are in. */
static uint32_t
take_largest(struct tree *t, uint32_t *first)
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
 * Callers that follow each other without a branch stand below each other; where
 * there are several, each is a step farther in.
 */
static int
put_branches(struct top_table *t, const struct top_input *in,
    struct tree *from, uint32_t of, unsigned depth)
{
	const uint64_t all = from->all[0].value.weight;
	struct census_value rest = { 0, 0 };
	uint32_t left = from->all[of].first;
	const bool one = left != 0 && from->all[left].next == 0 &&
	    from->all[left].value.weight == from->all[of].value.weight;
	int ret = 0;

	while (left != 0 && ret == 0) {
		const uint32_t n = take_largest(from, &left);
		const struct branch *b = &from->all[n];

		if ((double)b->value.weight * 100 < LEAST * (double)all) {
			rest.count += b->value.count;
			rest.weight += b->value.weight;
			continue;
		}
		ret = add_line(t, in, b, depth + !one, one);
		if (ret == 0)
			ret = put_branches(t, in, from, n, depth + !one);
	}
	return ret == 0 && rest.count != 0 ? add_rest(t, &rest, "[others]",
	    depth + 1) : ret;
}

/* Of the function itself: further out a stack ends where it began. */
static int
put_unknown(struct top_table *t, const struct branch *of,
    const struct census_value *called)
{
	const struct census_value rest = {
		of->value.count - called->count,
		of->value.weight - called->weight,
	};

	return rest.weight == 0 ? 0 : add_rest(t, &rest,
	    "[no callers are known]", 1);
}

static struct census_value
sum_below(const struct tree *t)
{
	struct census_value sum = { 0, 0 };

	for (uint32_t n = t->all[0].first; n != 0; n = t->all[n].next) {
		sum.count += t->all[n].value.count;
		sum.weight += t->all[n].value.weight;
	}
	return sum;
}

static int
put_tree(struct top_table *t, const struct top_input *in, struct tree *from)
{
	const struct census_value called = sum_below(from);
	int ret = add_line(t, in, &from->all[0], 0, false);

	t->shown = from->all[0].value;
	if (ret == 0)
		ret = put_branches(t, in, from, 0, 0);
	return ret == 0 ? put_unknown(t, &from->all[0], &called) : ret;
}

int
topcallers_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s)
{
	struct tree tree = { .all = NULL };
	int ret = 0;

	t->count = 0;
	for (size_t i = 0; i < in->cell_count && ret == 0; i++) {
		const struct census_cell *own = &in->cells[i];
		const struct census_value v = top_value(s, own);

		if (top_wants(s, own) && namer_name(in->namer,
		    in->census->nodes[own->key.node].place).function ==
		    s->callers_of)
			ret = add_path(&tree, in, own, &v);
	}
	if (ret == 0 && tree.count != 0)
		ret = put_tree(t, in, &tree);
	free(tree.all);
	finder_free(&tree.by_key);
	return ret;
}
