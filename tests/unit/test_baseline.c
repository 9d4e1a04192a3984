/*
 * Context: O. Tests of core/format/decode/baseline.c: what is taken off, and
 * what not.
 */
#include "decode/baseline.h"

#include "build.h"
#include "decode/header.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define SECOND	1000000000u

static struct build b;
static uint32_t thread, node;

static void
start(void)
{
	build_init(&b);
	build_module(&b, "/bin/prog", 0x1000, 0x2000);
	thread = build_thread(&b, 42, "main");
	node = build_node(&b, build_root(&b, thread), FORMAT_USER,
	    build_header(&b)->modules, 0x1234, 30, 3000);
	build_thread_at(&b, thread)->ticks = 30;
	build_header(&b)->loss[3] = 7;
	build_header(&b)->ticks = 50;
}

static void
end(void)
{
	build_fini(&b);
}

TestSuite(baseline, .init = start, .fini = end);

static uint64_t
place(uint32_t record, size_t field)
{
	return (uint64_t)record * FORMAT_UNIT + field;
}

static int
apply(struct fault *f)
{
	memset(f, 0, sizeof *f);
	return baseline_subtract(b.bytes, build_size(&b), f);
}

static void
put(uint32_t count, const struct format_baseline_word *words)
{
	struct format_baseline base = {
		.mono = 5 * SECOND, .cpu_ns = 9 * SECOND,
		.stopped_ns = 2 * SECOND, .words = count,
	};

	build_base(&b, &base, words);
}

Test(baseline, leaves_others_as_they_are)
{
	unsigned char before[FORMAT_HEADER];
	struct fault f;

	memcpy(before, b.bytes, sizeof before);
	cr_expect_eq(apply(&f), 0);
	cr_expect_arr_eq(before, b.bytes, sizeof before);
	cr_expect_eq(baseline_mono(b.bytes, build_size(&b)), 0);
	cr_expect_eq(baseline_subtract(b.bytes, 100, &f), 0,
	    "too short for one");
}

Test(baseline, takes_off_what_was_counted)
{
	const struct format_baseline_word words[] = {
		{ place(node, offsetof(struct format_node, count)), 20 },
		{ place(node, offsetof(struct format_node, ns)), 2000 },
		{ offsetof(struct format_header, loss) + 3 * 8, 7 },
		{ offsetof(struct format_header, ticks), 40 },
		{ place(thread, offsetof(struct format_thread, cpu_start_ns)),
		    -(uint64_t)600 },
	};
	struct fault f;

	put(5, words);
	cr_assert_eq(apply(&f), 0);
	cr_expect_eq(build_node_at(&b, node)->count, 10);
	cr_expect_eq(build_node_at(&b, node)->ns, 1000);
	cr_expect_eq(build_header(&b)->loss[3], 0);
	cr_expect_eq(build_header(&b)->ticks, 10);
	cr_expect_eq(build_thread_at(&b, thread)->cpu_start_ns, 600);
	cr_expect_eq(build_header(&b)->cpu_birth_ns, 9 * SECOND);
	cr_expect_eq(baseline_mono(b.bytes, build_size(&b)), 5 * SECOND);
}

/* It used 12 s of CPU time and was stopped for 2 s before: 9 to 12 count. */
Test(baseline, counts_stops_from_there)
{
	struct format_header *h = build_header(&b);
	struct fault f;

	put(0, NULL);
	h = build_header(&b);
	h->stopped_ns = 3 * SECOND;
	cr_assert_eq(apply(&f), 0);
	cr_expect_eq(header_stopped_ns(h, 12ull * SECOND), 1ull * SECOND);
	/* Stopped since 9: in all 12 - 7 = 5, of which 2 were before. */
	h->stopped_ns = FORMAT_STOPPED | 7ull * SECOND;
	cr_assert_eq(apply(&f), 0);
	cr_expect_eq(header_stopped_ns(h, 12ull * SECOND), 3ull * SECOND);
}

Test(baseline, takes_off_counters_alone)
{
	static const uint64_t bad[] = {
		0, offsetof(struct format_header, used),
		offsetof(struct format_header, modules),
		offsetof(struct format_header, loss) - 8,
		offsetof(struct format_header, loss) + 8 * LOSS_MAX,
		FORMAT_HEADER + 4, UINT64_MAX - 7, UINT64_MAX,
	};
	struct fault f;
	unsigned i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		put(1, &(struct format_baseline_word) { bad[i], 1 });
		cr_expect_eq(apply(&f), -EINVAL, "%ju", (uintmax_t)bad[i]);
		cr_expect_str_eq(f.what, "a baseline names a place that is no "
		    "counter");
	}
	put(1, &(struct format_baseline_word) { build_size(&b) + 64, 1 });
	cr_expect_eq(apply(&f), -EINVAL, "the first behind the file");
}

/* The figure of its memory, once a base is taken off that was of an era,
 * `said`. */
static uint64_t
era_with(uint32_t said)
{
	struct format_memory m;
	struct format_baseline base = { .era = { said } };
	struct fault f;

	build_memory(&b, 7, 1000);
	build_base(&b, &base, NULL);
	cr_assert_eq(apply(&f), 0);
	memcpy(&m, b.bytes + (uint64_t)build_header(&b)->memory *
	    FORMAT_UNIT, sizeof m);
	return m.era;
}

Test(baseline, ends_a_peak)
{
	cr_expect_eq(era_with(7), 8, "no path is of that: as live as now");
}

Test(baseline, leaves_a_later_peak)
{
	cr_expect_eq(era_with(6), 7);
}

Test(baseline, is_in_the_file)
{
	struct fault f;

	put(1, &(struct format_baseline_word) { FORMAT_HEADER, 0 });
	cr_assert_eq(baseline_subtract(b.bytes, build_size(&b) - 9, &f),
	    -EINVAL);
	cr_expect_str_eq(f.what, "its baseline is longer than the file");
	cr_assert_eq(baseline_subtract(b.bytes, build_size(&b) - 25, &f),
	    -EINVAL);
	cr_expect_str_eq(f.what, "its baseline is not in the file");
	build_header(&b)->base = 3;
	cr_assert_eq(apply(&f), -EINVAL);
	cr_expect_str_eq(f.what, "its baseline is not in the file");
	cr_expect_eq(baseline_mono(b.bytes, build_size(&b)), 0);
}
