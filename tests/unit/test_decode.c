/* Context: O.  Tests of core/format/decode/decode.c: what is right comes out
 * right. */
#include "decode/decode.h"
#include "build.h"
#include "opened.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define MODULES	3
#define THREADS	3

Test(decode, a_file_with_nothing_counted)
{
	struct build b;

	build_init(&b);
	opened_cuts(&b, 0);
	build_seal(&b, FORMAT_END_EXIT, 0);
	opened_cuts(&b, 0);
	build_fini(&b);
}

static bool
text_equal_str(struct opened *o, uint32_t index, const char *want,
    uint32_t bytes)
{
	uint32_t length;
	const char *text = decode_text(&o->d, index, &length, &o->f);

	return text != NULL && length == bytes &&
	    memcmp(text, want, bytes) == 0;
}

Test(decode, texts)
{
	struct build b;
	struct opened o;
	uint32_t last, none = 77;

	build_init(&b);
	build_text(&b, "", 0);
	last = build_text(&b, "ends with the file..", 12);
	build_seal(&b, FORMAT_END_EXIT, 0);
	opened_whole(&o, &b);
	cr_assert_eq(o.error, 0);
	cr_expect(text_equal_str(&o, o.d.header.exe, "/usr/bin/prog", 13));
	cr_expect(text_equal_str(&o, o.d.header.cmdline, "prog\0-x\0", 8));
	cr_expect(text_equal_str(&o, last - 1, "", 0));
	cr_expect(text_equal_str(&o, last, "ends with th", 12));
	cr_expect_str_eq(decode_text(&o.d, 0, &none, &o.f), "");
	cr_expect_eq(none, 0);
	opened_fini(&o);
	build_fini(&b);
}

static void
add_modules(struct build *b, uint32_t *index)
{
	for (unsigned i = 0; i < MODULES; i++) {
		struct format_module *m;

		index[i] = build_module(b, "/lib/x.so", 0x1000 * i,
		    0x1000 * i + 0x800);
		m = build_module_at(b, index[i]);
		m->build_id_bytes = (uint32_t)sizeof m->build_id;
		memset(m->build_id, (int)i, sizeof m->build_id);
	}
}

Test(decode, modules_newest_first_and_again)
{
	struct build b;
	struct opened o;
	struct format_module m;
	uint32_t index[MODULES], at;

	build_init(&b);
	add_modules(&b, index);
	opened_whole(&o, &b);
	cr_assert_eq(o.error, 0);
	for (unsigned pass = 0; pass < 2; pass++) {
		at = 0;
		for (unsigned i = MODULES; i-- > 0;) {
			cr_assert_eq(decode_module(&o.d, &at, &m, &o.f), 1);
			cr_expect_eq(at, index[i]);
			cr_expect_eq(memcmp(&m, build_at(&b, at), sizeof m), 0);
			cr_expect(text_equal_str(&o, m.path, "/lib/x.so", 9));
		}
		cr_expect_eq(decode_module(&o.d, &at, &m, &o.f), 0);
		cr_expect_eq(decode_module(&o.d, &at, &m, &o.f), 0);
	}
	opened_fini(&o);
	build_fini(&b);
}

Test(decode, threads_newest_first_and_again)
{
	struct build b;
	struct opened o;
	struct format_thread t;
	uint32_t index[THREADS], at;

	build_init(&b);
	for (unsigned i = 0; i < THREADS; i++)
		index[i] = build_thread(&b, 100 + (int)i, "sixteen-letters!");
	opened_whole(&o, &b);
	cr_assert_eq(o.error, 0);
	for (unsigned pass = 0; pass < 2; pass++) {
		at = 0;
		for (unsigned i = THREADS; i-- > 0;) {
			cr_assert_eq(decode_thread(&o.d, &at, &t, &o.f), 1);
			cr_expect_eq(at, index[i]);
			cr_expect_eq(memcmp(&t, build_at(&b, at), sizeof t), 0);
		}
		cr_expect_eq(decode_thread(&o.d, &at, &t, &o.f), 0);
	}
	opened_fini(&o);
	build_fini(&b);
}

struct order {
	uint32_t index[16];
	unsigned count, stop_at;
};

static int
note(void *arg, uint32_t index, const struct format_node *n)
{
	struct order *order = arg;

	order->index[order->count++] = index;
	cr_expect_eq(n->address, index);
	return order->count == order->stop_at ? 42 : 0;
}

/* root (a (c (e)) d) b): built in alphabetical order, newest child first. */
static uint32_t
add_tree(struct build *b, uint32_t *want)
{
	uint32_t root = build_root(b, build_thread(b, 4242, "main"));
	uint32_t a = build_node(b, root, FORMAT_FRAME, 0, 0, 0, 0);
	uint32_t second = build_node(b, root, FORMAT_USER, 0, 0, 2, 2);
	uint32_t c = build_node(b, a, FORMAT_FRAME, 0, 0, 3, 3);
	uint32_t d = build_node(b, a, FORMAT_KERNEL, 0, 0, 4, 4);
	uint32_t e = build_node(b, c, FORMAT_USER, 0, 0, 5, 5);
	const uint32_t order[] = {second, a, d, c, e};

	memcpy(want, order, sizeof order);
	for (unsigned i = 0; i < 5; i++)
		build_node_at(b, want[i])->address = want[i];
	return root;
}

Test(decode, tree_parents_first)
{
	struct build b;
	struct opened o;
	struct order order = {0};
	uint32_t want[5], root;

	build_init(&b);
	root = add_tree(&b, want);
	build_seal(&b, FORMAT_END_EXIT, 0);
	opened_whole(&o, &b);
	cr_assert_eq(o.error, 0);
	cr_assert_eq(decode_tree(&o.d, root, note, &order, &o.f), 0);
	cr_assert_eq(order.count, 5);
	cr_expect_eq(memcmp(order.index, want, sizeof want), 0);
	opened_fini(&o);
	build_fini(&b);
}

Test(decode, tree_stops_when_told)
{
	struct build b;
	struct opened o;
	struct order order = {.stop_at = 3};
	uint32_t want[5], root;

	build_init(&b);
	root = add_tree(&b, want);
	opened_whole(&o, &b);
	cr_assert_eq(decode_tree(&o.d, root, note, &order, &o.f), 42);
	cr_expect_eq(order.count, 3);
	opened_fini(&o);
	build_fini(&b);
}

Test(decode, tree_of_nothing)
{
	struct build b;
	struct opened o;
	uint32_t root;

	build_init(&b);
	root = build_root(&b, build_thread(&b, 1, "idle"));
	opened_whole(&o, &b);
	cr_assert_eq(o.error, 0);
	cr_expect_eq(decode_tree(&o.d, root, note, NULL, &o.f), 0);
	cr_expect_eq(decode_tree(&o.d, 0, note, NULL, &o.f), 0);
	opened_fini(&o);
	build_fini(&b);
}

Test(decode, tree_once_a_root)
{
	struct build b;
	struct opened o;
	struct order order = {0};
	uint32_t want[5], root;

	build_init(&b);
	root = add_tree(&b, want);
	opened_whole(&o, &b);
	cr_assert_eq(decode_tree(&o.d, root, note, &order, &o.f), 0);
	cr_expect_lt(decode_tree(&o.d, root, note, &order, &o.f), 0);
	cr_expect_str_eq(o.f.what,
	    "a link points into a record that was read before");
	opened_fini(&o);
	build_fini(&b);
}

/* A chain as deep as the file is large: no recursion, so no end of stack. */
Test(decode, tree_a_million_deep)
{
	struct build b;
	uint32_t at;

	build_init(&b);
	at = build_root(&b, build_thread(&b, 1, "deep"));
	for (unsigned i = 0; i < 1000000; i++)
		at = build_node(&b, at, FORMAT_FRAME, 0, i, 1, 1);
	build_seal(&b, FORMAT_END_EXIT, 0);
	opened_cuts(&b, 0);
	build_fini(&b);
}

Test(decode, unknown_kinds_are_let_through)
{
	struct build b;
	uint32_t root, node;

	build_init(&b);
	root = build_root(&b, build_thread(&b, 1, "t"));
	node = build_node(&b, root, FORMAT_USER, 0, 1, 1, 1);
	build_node_at(&b, node)->kind = 1000;
	build_seal(&b, (enum format_end)1000, 0);
	opened_cuts(&b, 0);
	build_fini(&b);
}

/* A file that is longer than what it uses: the rest is not looked at. */
Test(decode, nothing_past_used)
{
	struct build b;
	uint32_t module;

	build_init(&b);
	module = build_module(&b, "/bin/x", 1, 2);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->used = (uint64_t)module * FORMAT_UNIT;
	opened_refuses(&b, "a link points past the end of the data",
	    offsetof(struct format_header, modules));
	build_fini(&b);
}
