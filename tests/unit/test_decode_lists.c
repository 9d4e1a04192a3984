/* Context: O.  Tests of lists in a profile: arcs, moments, names. */
#include "decode/decode.h"
#include "build.h"
#include "opened.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

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
Test(decode_lists, arcs)
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
Test(decode_lists, moments)
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
Test(decode_lists, moments_of_nothing)
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

Test(decode_lists, names)
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
