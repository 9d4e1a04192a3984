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

struct arcs_met {
	unsigned arcs;
	uint64_t calls, self;
};

static int
meet_arc(void *arg, uint32_t index, const struct format_arc *a)
{
	struct arcs_met *met = arg;

	(void)index;
	met->arcs++;
	met->calls += a->count;
	met->self += a->self;
	return a->count == 999 ? 7 : 0;
}

/* A block may have room left, and a cut one tells of what is there. */
Test(decode, arcs)
{
	struct arcs_met met = {0};
	struct build b;
	struct opened o;
	uint32_t module, block;

	build_init(&b);
	module = build_module(&b, "/bin/prog", 0x1000, 0x2000);
	build_arcs(&b, 4);
	build_arc(&b, module, 0x1100, module, 0x1200, 10);
	build_arc(&b, module, 0x1110, 0, 0x7000, 20);
	block = build_arcs(&b, 2);
	build_arc(&b, module, 0x1100, module, 0x1200, 1);
	build_arc(&b, 0, 0x7000, module, 0x1210, 2);
	opened_whole(&o, &b);
	cr_expect_eq(decode_arcs(&o.d, meet_arc, &met, &o.f), 0);
	cr_expect_eq(met.arcs, 4);
	cr_expect_eq(met.calls, 33);
	cr_expect_eq(met.self, 0x1100 + 0x1110 + 0x1100 + 0x7000);
	opened_fini(&o);
	opened_part(&o, &b, (block + 4) * FORMAT_UNIT +
	    sizeof(struct format_arc));
	met = (struct arcs_met){0};
	cr_expect_eq(decode_arcs(&o.d, meet_arc, &met, &o.f), 0);
	cr_expect_eq(met.calls, 31);
	cr_expect_eq(o.d.cut, 1);
	opened_fini(&o);
	((struct format_arcs *)build_at(&b, block))->arc[0].count = 999;
	opened_whole(&o, &b);
	cr_expect_eq(decode_arcs(&o.d, meet_arc, &met, &o.f), 7, "told to");
	opened_fini(&o);
	build_fini(&b);
}

struct moments_met {
	unsigned moments;
	uint64_t when, ns, threads;
};

static int
meet_moment(void *arg, uint32_t thread, const struct format_logged_tick *m)
{
	struct moments_met *met = arg;

	met->moments++;
	met->when = met->when * 10 + m->mono;
	met->ns += m->ns;
	met->threads += thread;
	return m->mono == 999 ? 7 : 0;
}

/*
 * The newest block first; each as far as it is filled, or there is any of it.
 */
Test(decode, moments)
{
	struct moments_met met = {0};
	struct build b;
	struct opened o;
	uint32_t thread, node, block;

	build_init(&b);
	thread = build_thread(&b, 1, "timed");
	node = build_node(&b, build_root(&b, thread), FORMAT_USER, 0, 0x10, 1,
	    1);
	build_moments(&b, thread, (struct format_logged_tick[]) {
		{ 1, node, 10 }, { 2, node, 20 },
	}, 2);
	block = build_moments(&b, thread, (struct format_logged_tick[]) {
		{ 3, node, 100 }, { 4, node, 200 }, { 5, node, 300 },
	}, 3);
	opened_whole(&o, &b);
	cr_expect_eq(decode_tick_log(&o.d, meet_moment, &met, &o.f), 0);
	cr_expect_eq(met.moments, 5);
	cr_expect_eq(met.when, 34512);
	cr_expect_eq(met.ns, 630);
	cr_expect_eq(met.threads, 5 * thread);
	opened_fini(&o);
	opened_part(&o, &b, (block + 3) * FORMAT_UNIT);
	met = (struct moments_met){0};
	cr_expect_eq(decode_tick_log(&o.d, meet_moment, &met, &o.f), 0);
	cr_expect_eq(met.when, 3412);
	cr_expect_eq(o.d.cut, 1);
	opened_fini(&o);
	((struct format_tick_log *)build_at(&b, block))->moment[1].mono = 999;
	opened_whole(&o, &b);
	cr_expect_eq(decode_tick_log(&o.d, meet_moment, &met, &o.f), 7);
	opened_fini(&o);
	build_fini(&b);
}

/* In a sealed file each is of a thread and a node that are there. */
Test(decode, moments_of_nothing)
{
	struct build b;
	struct opened o;
	struct format_tick_log *m;
	uint32_t thread, node, block;

	build_init(&b);
	thread = build_thread(&b, 1, "timed");
	node = build_node(&b, build_root(&b, thread), FORMAT_USER, 0, 0x10, 1,
	    1);
	block = build_moments(&b, thread,
	    &(struct format_logged_tick) { 1, node, 10 }, 1);
	for (unsigned i = 0; i < 4; i++) {
		m = build_at(&b, block);
		m->thread = i == 1 ? node : i == 2 ? UINT32_MAX : thread;
		m->moment[0].node = i == 3 ? thread : node;
		opened_whole(&o, &b);
		cr_expect_eq(decode_counts_check(&o.d, &o.f), 0, "live %u", i);
		opened_fini(&o);
	}
	build_seal(&b, FORMAT_END_EXIT, 0);
	for (unsigned i = 0; i < 4; i++) {
		m = build_at(&b, block);
		m->thread = i == 1 ? block : i == 2 ? UINT32_MAX : thread;
		m->moment[0].node = i == 3 ? node + 1 : node;
		opened_whole(&o, &b);
		cr_expect_eq(decode_counts_check(&o.d, &o.f),
		    i == 0 ? 0 : -EINVAL, "%u", i);
		opened_fini(&o);
	}
	build_fini(&b);
}

struct places_met {
	unsigned places, scopes;
	uint64_t address, lines;
};

static int
meet_place(void *arg, const struct decode_place *p)
{
	struct places_met *met = arg;

	met->places++;
	met->address += p->place.address;
	for (uint32_t i = 0; i < p->place.scopes; i++) {
		met->scopes++;
		met->lines += decode_scope(p, i).line;
	}
	return p->place.address == 999 ? 7 : 0;
}

Test(decode, names)
{
	const struct format_place places[] = {
		{ .address = 0x10, .scopes = 2 },
		{ .address = 0x20, .first = 2 },
		{ .address = 999, .first = 2, .scopes = 1 },
	};
	const struct format_scope scopes[] = {
		{ .line = 1 }, { .line = 20 }, { .line = 300 },
	};
	struct places_met met = {0};
	struct build b;
	struct opened o;
	uint32_t module, block;

	build_init(&b);
	module = build_module(&b, "/bin/prog", 0x1000, 0x2000);
	build_names(&b, 0, places, 2, scopes, 2);
	block = build_names(&b, module, places, 2, scopes, 2);
	opened_whole(&o, &b);
	cr_expect_eq(decode_names(&o.d, meet_place, &met, &o.f), 0);
	cr_expect_eq(met.places, 4);
	cr_expect_eq(met.scopes, 4);
	cr_expect_eq(met.address, 0x60);
	cr_expect_eq(met.lines, 42);
	opened_fini(&o);
	opened_part(&o, &b, (block + 2) * FORMAT_UNIT);
	met = (struct places_met){0};
	cr_expect_eq(decode_names(&o.d, meet_place, &met, &o.f), 0);
	cr_expect_eq(met.places, 2, "the cut block has none");
	cr_expect_eq(o.d.cut, 1);
	opened_fini(&o);
	build_names(&b, module, places, 3, scopes, 3);
	opened_whole(&o, &b);
	cr_expect_eq(decode_names(&o.d, meet_place, &met, &o.f), 7, "told to");
	opened_fini(&o);
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
