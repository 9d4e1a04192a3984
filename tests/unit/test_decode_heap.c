/*
 * Context: O. Tests of core/format/decode/decode_heap.c and of how
 * alloc_threads are checked.
 */
#include "build.h"
#include "decode/decode_heap.h"
#include "decode/decode_heap_points.h"

#include <criterion/criterion.h>
#include <string.h>

static struct build b;
static uint32_t memory, thread[2], caller;

/*
 * Two paths of one alloc_thread, one of the other; the peak was 500 and is
 * over: only those that changed since have noted what they had.
 */
static void
start(void)
{
	struct format_heap *h;
	uint32_t module;

	build_init(&b);
	module = build_module(&b, "/bin/prog", 0x1000, 0x2000);
	memory = build_memory(&b, 7, 500);
	thread[0] = build_alloc_thread(&b);
	thread[1] = build_alloc_thread(&b);
	caller = build_node(&b, build_alloc_thread_root(&b, thread[0]),
	    FORMAT_FRAME, module, 0x1100, 0, 0);
	h = build_heap(&b, caller, 10, 1000);
	h->freed_bytes = 600;
	h->freed_blocks = 6;
	h->taken_bytes = 200;
	h->taken_blocks = 2;
	h->temporary_blocks = 3;
	h->peak_bytes = 300;
	h->era = 7;
	h = build_heap(&b, build_node(&b, caller, FORMAT_FRAME, module, 0x1200,
	    0, 0), 1, 150);
	h->era = 6;
	h->peak_bytes = 9999;
	h = build_heap(&b, build_node(&b,
	    build_alloc_thread_root(&b, thread[1]), FORMAT_FRAME, module,
	    0x1100, 0, 0), 5, 50);
	h->resized_blocks = 5;
	((struct format_alloc_thread *)build_at(&b, thread[1]))->unknown_frees =
	    4;
	((struct format_alloc_thread *)build_at(&b, thread[0]))->missed_ends =
	    1;
}

static void
end(void)
{
	build_fini(&b);
}

static struct decode_heap_total maps;

TestSuite(decode_heap, .init = start, .fini = end);

static int
add(size_t size, struct decode_heap_total *t, struct fault *f)
{
	struct decode d;
	int ret = decode_open(&d, b.bytes, size, f);

	if (ret == 0) {
		ret = decode_counts_check(&d, f);
		if (ret == 0)
			ret = decode_heap_totals(&d, t, &maps, f);
		decode_close(&d);
	}
	return ret;
}

Test(decode_heap, sums)
{
	struct decode_heap_total t;
	struct fault f = { 0 };

	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(add(build_size(&b), &t, &f), 1, "%s", f.what);
	cr_expect_eq(t.paths, 3);
	cr_expect_eq(t.alloc_threads, 2);
	cr_expect_eq(t.total_bytes, 1200);
	cr_expect_eq(t.total_blocks, 16);
	cr_expect_eq(t.freed_bytes, 800);
	cr_expect_eq(t.freed_blocks, 8);
	cr_expect_eq(t.temporary_blocks, 3);
	cr_expect_eq(t.resized_blocks, 5);
	cr_expect_eq(t.peak_bytes, 300 + 150 + 50);
	cr_expect_eq(t.unknown_frees, 4);
	cr_expect_eq(t.missed_ends, 1);
}

Test(decode_heap, none)
{
	struct decode_heap_total t;
	struct fault f = { 0 };

	build_header(&b)->memory = build_header(&b)->alloc_threads = 0;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_expect_eq(add(build_size(&b), &t, &f), 0);
	cr_expect_eq(t.total_bytes, 0);
}

/* A live file reads up to wherever its copy ends. */
Test(decode_heap, cut_anywhere)
{
	for (size_t size = FORMAT_HEADER; size < build_size(&b); size++) {
		struct decode_heap_total t;
		struct fault f = { 0 };
		int ret = add(size, &t, &f);

		cr_assert_geq(ret, 0, "%zu: %s", size, f.what);
		cr_assert_leq(t.total_bytes, 1200);
	}
}

static void
refuse(const char *what)
{
	struct decode_heap_total t;
	struct fault f = { 0 };

	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_expect_lt(add(build_size(&b), &t, &f), 0);
	cr_expect_str_eq(f.what != NULL ? f.what : "", what);
}

Test(decode_heap, one_root_of_two)
{
	((struct format_alloc_thread *)build_at(&b, thread[0]))->root =
	    build_alloc_thread_root(&b, thread[1]);
	refuse("a link points into a record that was read before");
}

Test(decode_heap, a_root_that_is_none)
{
	((struct format_alloc_thread *)build_at(&b, thread[0]))->root = caller;
	refuse("the root of a thread or an allocation thread record is another "
	    "node");
}

Test(decode_heap, memory_is_an_alloc_thread)
{
	build_header(&b)->memory = thread[0];
	refuse("a link points into a record that was read before");
}

Test(decode_heap, past_the_end)
{
	build_header(&b)->memory = (uint32_t)(build_size(&b) / FORMAT_UNIT);
	refuse("a link points past the end of the data");
}

/* A plain node made one of the heap: the record would reach into the next. */
Test(decode_heap, into_the_next_record)
{
	build_node_at(&b, caller)->kind = FORMAT_HEAP;
	refuse("a link points into a record that was read before");
}

/* In no order in the file; of one that began anew those since. */
Test(decode_heap, points)
{
	struct format_heap_point p[FORMAT_HEAP_POINTS];
	struct fault f = { 0 };
	struct decode d;
	size_t n;

	cr_assert_eq(decode_open(&d, b.bytes, build_size(&b), &f), 0);
	cr_expect_eq(decode_heap_points(&d, p, &n, &f), 0);
	cr_expect_eq(n, 0);
	decode_close(&d);
	build_point(&b, 300, 30, 4096);
	build_point(&b, 100, 10, 0);
	build_point(&b, 200, 20, 8192);
	cr_assert_eq(decode_open(&d, b.bytes, build_size(&b), &f), 0, "%s",
	    f.what);
	cr_expect_eq(decode_heap_points(&d, p, &n, &f), 1);
	cr_assert_eq(n, 3);
	cr_expect_eq(p[0].mono, 100);
	cr_expect_eq(p[0].live_bytes, 10);
	cr_expect_eq(p[1].resident_bytes, 8192);
	cr_expect_eq(p[2].mono, 300);
	d.since_mono = 100;
	cr_expect_eq(decode_heap_points(&d, p, &n, &f), 1);
	cr_expect_eq(n, 2);
	decode_close(&d);
}

/* More than there can be; or cut, where it is not sealed. */
Test(decode_heap, points_that_are_not_there)
{
	struct format_memory *m;
	struct fault f = { 0 };
	struct decode d;
	size_t n;
	struct format_heap_point p[FORMAT_HEAP_POINTS];

	build_point(&b, 300, 30, 4096);
	m = build_at(&b, memory);
	cr_assert_eq(decode_open(&d, b.bytes, build_size(&b) - 100 * 24, &f),
	    0, "%s", f.what);
	cr_expect_eq(decode_heap_points(&d, p, &n, &f), 1);
	cr_expect_eq(n, 1);
	decode_close(&d);
	((struct format_heap_timeline *)build_at(&b, m->growth))->room =
	    FORMAT_HEAP_POINTS + 1;
	cr_expect_lt(decode_open(&d, b.bytes, build_size(&b), &f), 0);
	decode_close(&d);
	m->growth = memory;
	cr_expect_lt(decode_open(&d, b.bytes, build_size(&b), &f), 0);
	decode_close(&d);
}
