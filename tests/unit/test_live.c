/* Context: O.  Tests of core/format/decode/decode.c: files that are not
 * sealed. */
#include "build.h"
#include "opened.h"

#include <criterion/criterion.h>
#include <string.h>

#define FAR 0x400000u	/* the unit behind the last of 64 MiB */

static int
add_one(void *arg, uint32_t index, const struct format_node *n)
{
	(void)index;
	(void)n;
	++*(uint32_t *)arg;
	return 0;
}

static uint32_t
count_nodes(struct build *b, uint32_t root, uint64_t *cut)
{
	struct opened o;
	uint32_t nodes = 0;

	opened_whole(&o, b);
	cr_assert_eq(o.error, 0, "%s", o.f.what);
	cr_assert_eq(decode_tree(&o.d, root, add_one, &nodes, &o.f), 0, "%s",
	    o.f.what);
	*cut = o.d.cut;
	opened_fini(&o);
	return nodes;
}

/* root (b (c) a): what hangs behind a cut link is lost, the rest is not. */
struct tree {
	struct build b;
	uint32_t root, a, second, c;
};

static void
start(struct tree *t)
{
	build_init(&t->b);
	t->root = build_root(&t->b, build_thread(&t->b, 1, "t"));
	t->a = build_node(&t->b, t->root, FORMAT_USER, 0, 1, 1, 1);
	t->second = build_node(&t->b, t->root, FORMAT_FRAME, 0, 2, 1, 1);
	t->c = build_node(&t->b, t->second, FORMAT_USER, 0, 3, 1, 1);
}

static void
leaves(struct tree *t, uint32_t nodes, uint64_t cuts)
{
	uint64_t cut;

	cr_expect_eq(count_nodes(&t->b, t->root, &cut), nodes);
	cr_expect_eq(cut, cuts);
	build_fini(&t->b);
}

Test(live, whole)
{
	struct tree t;

	start(&t);
	leaves(&t, 3, 0);
}

Test(live, child_out_of_the_copy)
{
	struct tree t;

	start(&t);
	build_node_at(&t.b, t.second)->child = FAR;
	leaves(&t, 2, 1);
}

Test(live, sibling_out_of_the_copy)
{
	struct tree t;

	start(&t);
	build_node_at(&t.b, t.second)->sibling = FAR;
	leaves(&t, 2, 1);
}

Test(live, node_halfway_in_the_copy)
{
	struct tree t;

	start(&t);
	build_header(&t.b)->used -= FORMAT_UNIT;
	leaves(&t, 2, 1);
}

/* Taken, not yet filled, when the copy passed. */
Test(live, node_all_zero)
{
	struct tree t;

	start(&t);
	memset(build_node_at(&t.b, t.c), 0, sizeof(struct format_node));
	leaves(&t, 2, 1);
}

Test(live, node_of_a_module_not_listed)
{
	struct tree t;

	start(&t);
	build_node_at(&t.b, t.a)->module = t.root;
	build_node_at(&t.b, t.c)->module = FAR;
	leaves(&t, 3, 2);
}

Test(live, what_is_wrong_for_good_is_refused)
{
	struct tree t;

	start(&t);
	build_node_at(&t.b, t.c)->child = t.c;
	opened_refuses(&t.b, "a link points into a record that was read before",
	    (uint64_t)t.c * FORMAT_UNIT + offsetof(struct format_node, child));
	build_node_at(&t.b, t.c)->child = 5;
	opened_refuses(&t.b, "a link points into the header",
	    (uint64_t)t.c * FORMAT_UNIT + offsetof(struct format_node, child));
	build_fini(&t.b);
}

Test(live, root_out_of_the_copy)
{
	struct build b;
	uint32_t thread;
	uint64_t cut;

	build_init(&b);
	thread = build_thread(&b, 1, "t");
	build_thread_at(&b, thread)->root = FAR;
	cr_expect_eq(count_nodes(&b, FAR, &cut), 0);
	cr_expect_eq(cut, 1);
	build_fini(&b);
}

/* Each list ends where it is cut, each text is empty; all of it is counted. */
Test(live, lists_and_texts)
{
	struct build b;
	uint32_t module;

	build_init(&b);
	build_module(&b, "/lost", 1, 2);
	module = build_module(&b, "/kept", 3, 4);
	build_module_at(&b, module)->next = FAR;
	build_module_at(&b, module)->path = FAR;
	build_header(&b)->threads = FAR;
	build_header(&b)->host = UINT32_MAX;
	*(uint32_t *)build_at(&b, build_header(&b)->exe) = UINT32_MAX;
	opened_cuts(&b, 5);
	build_fini(&b);
}

Test(live, list_records_all_zero)
{
	struct build b;

	build_init(&b);
	build_header(&b)->modules = build_take(&b,
	    sizeof(struct format_module));
	build_header(&b)->threads = build_take(&b,
	    sizeof(struct format_thread));
	opened_cuts(&b, 2);
	build_fini(&b);
}

Test(live, the_same_zero_records_sealed)
{
	struct build b;

	build_init(&b);
	build_header(&b)->modules = build_take(&b,
	    sizeof(struct format_module));
	build_seal(&b, FORMAT_END_EXIT, 0);
	opened_cuts(&b, 0);
	build_fini(&b);
}

/* A copy of any length of a live file opens, and never faults. */
Test(live, cut_at_every_byte)
{
	struct opened o;
	struct tree t;

	start(&t);
	build_module(&t.b, "/lib/m.so", 1, 2);
	for (size_t size = FORMAT_HEADER; size < build_size(&t.b); size++) {
		opened_part(&o, &t.b, size);
		cr_assert_eq(o.error, 0, "%zu bytes: %s", size, o.f.what);
		cr_assert_eq(opened_walk(&o), 0, "%zu bytes: %s", size,
		    o.f.what);
		cr_assert_gt(o.d.cut, 0, "%zu bytes", size);
		opened_fini(&o);
	}
	build_fini(&t.b);
}
