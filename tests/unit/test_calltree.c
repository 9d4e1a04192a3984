/* Context: O.  Tests of core/model/derive/calltree.c: folded functions. */
#include "derive/calltree.h"

#include <criterion/criterion.h>

enum { MAIN, SORT, LOOP, SWAP, LESS, FUNCTIONS };

/* Those of the library: main calls sort, which calls less() of the program. */
static const bool library[FUNCTIONS] = {
	[SORT] = true, [LOOP] = true, [SWAP] = true,
};

static struct model_scope scopes[] = {
	{ .file = 7, .line = 70, .function = LESS },
	{ .file = 7, .line = 71, .function = LESS },
};

static struct stack_frame frames[] = {
	{ .function = MODEL_NONE },
	{ .kind = FORMAT_FRAME, .function = MAIN },
	{ .kind = FORMAT_FRAME, .caller = 1, .function = SORT },
	{ .kind = FORMAT_FRAME, .caller = 2, .function = LOOP },
	{ .kind = FORMAT_FRAME, .caller = 3, .function = LOOP },
};

static struct model_row rows[] = {
	/* main, sort, loop, loop, less at two lines; and one loop less */
	{ .kind = FORMAT_USER, .function = LESS, .stack = 4, .scopes = 1,
	    .ns = 100, .count = 1 },
	{ .kind = FORMAT_USER, .function = LESS, .stack = 3, .scope = 1,
	    .scopes = 1, .ns = 50, .count = 1 },
	/* main, sort, swap */
	{ .kind = FORMAT_USER, .function = SWAP, .stack = 2, .ns = 20,
	    .count = 1 },
	/* main, sort */
	{ .kind = FORMAT_USER, .function = SORT, .stack = 1, .ns = 3,
	    .count = 1 },
};

static struct model_module module;
static struct model_function functions[FUNCTIONS] = {
	{ .name = "main" }, { .name = "sort" }, { .name = "loop" },
	{ .name = "swap" }, { .name = "less" },
};
static struct filter filter;
static struct calltree t;

static void
make(enum calltree_direction way, const bool *fold)
{
	struct model m = {
		.rows = rows, .row_count = sizeof(rows) / sizeof(rows[0]),
		.scopes = scopes, .scope_count = 2, .filter = &filter,
		.functions = functions, .function_count = FUNCTIONS,
		.modules = &module, .module_count = 1,
		.stacks = { .frames = frames, .count = sizeof(frames) /
		    sizeof(frames[0]) },
	};

	cr_assert_eq(calltree_make_folded(&t, &m, way, fold), 0);
	cr_assert_eq(t.all_ns, 173);
}

/* Returns child `i` of a node, by time, and checks its total. */
static const struct calltree_node *
child(const struct calltree_node *n, uint32_t i, uint32_t children,
    uint64_t total)
{
	const struct calltree_node *own;

	cr_assert_eq(n->children, children, "%u", n->children);
	own = &t.nodes[t.order[n->first + i]];
	cr_expect_eq(own->total_ns, total, "%lu", own->total_ns);
	return own;
}

/* The first function of the library stays; those that it called are one. */
Test(calltree, folds_what_a_library_calls)
{
	const struct calltree_node *sort, *fold, *less;

	make(CALLTREE_TOP_DOWN, library);
	sort = child(child(t.nodes, 0, 1, 173), 0, 1, 173);
	cr_expect_eq(sort->function, SORT);
	cr_expect_eq(sort->self_ns, 3);
	cr_expect(!calltree_is_fold(sort));
	fold = child(sort, 0, 1, 170);
	cr_expect(calltree_is_fold(fold));
	cr_expect_eq(fold->folds, 2);
	cr_expect_eq(fold->folds_least, 1);
	cr_expect_eq(fold->self_ns, 20);
	less = child(fold, 0, 1, 150);
	cr_expect_eq(less->function, LESS);
	cr_expect_eq(less->file, 7);
	cr_expect_eq(less->line, 0, "two lines are none");
	calltree_free(&t);
}

/* From the other end: what has the time, and what the program called, stay. */
Test(calltree, folds_from_the_other_end)
{
	const struct calltree_node *less, *fold, *swap;

	make(CALLTREE_BOTTOM_UP, library);
	less = child(t.nodes, 0, 3, 150);
	cr_expect_eq(less->function, LESS);
	fold = child(less, 0, 1, 150);
	cr_expect_eq(fold->folds, 2);
	cr_expect_eq(fold->folds_least, 1);
	cr_expect_eq(child(fold, 0, 1, 150)->function, SORT);
	cr_expect_eq(child(child(fold, 0, 1, 150), 0, 1, 150)->function, MAIN);
	swap = child(t.nodes, 1, 3, 20);
	cr_expect_eq(swap->function, SWAP);
	cr_expect_eq(child(swap, 0, 1, 20)->function, SORT);
	calltree_free(&t);
}

Test(calltree, folds_nothing_unless_asked)
{
	const struct calltree_node *sort;

	make(CALLTREE_TOP_DOWN, NULL);
	sort = child(child(t.nodes, 0, 1, 173), 0, 1, 173);
	cr_expect_eq(child(sort, 0, 2, 150)->function, LOOP);
	cr_expect_eq(child(sort, 1, 2, 20)->function, SWAP);
	calltree_free(&t);
}
