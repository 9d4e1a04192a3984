/* Context: O.  Tests of core/format/classic/gmon.c: golden files. */
#include "classics.h"
#include "classic/gmon_put.h"

#include <criterion/criterion.h>
#include <string.h>

static struct classics k;
static struct classic c;
static struct fault f;

static void
gmon(bool wide, bool big)
{
	classics_init(&k, wide, big);
	classics_gmon(&k, 0x1000);
}

/* Header 20, tag, range and numbers 40 or 32, bins from 61 or 53 on. */
Test(gmon, reads_every_layout)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		gmon(i % 2 != 0, i / 2 != 0);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_GMON);
		cr_expect_eq(c.wide, k.wide);
		cr_expect_eq(c.bytes.big, k.big);
		cr_expect_str_eq(text, k.wide ?
		    "1004-1008 5 at 63 of 100\n"
		    "1038-103c 7 at 89 of 100\n"
		    "1010->1020 3 at 94\n" :
		    "1004-1008 5 at 55 of 100\n"
		    "1038-103c 7 at 81 of 100\n"
		    "1010->1020 3 at 86\n");
	}
}

Test(gmon, reads_what_it_writes)
{
	unsigned char head[GMON_HEADER], hist[GMON_HIST_BYTES],
	    arc[GMON_ARC_BYTES];

	gmon_put_header(head);
	gmon_put_hist(hist, 0x1000, 0x1040, 16, 100);
	gmon_put_arc(arc, 0x1010, 0x1020, 3);
	gmon(true, false);
	cr_expect_arr_eq(k.bytes, head, sizeof(head));
	cr_expect_arr_eq(k.bytes + 20, hist, sizeof(hist));
	cr_expect_arr_eq(k.bytes + 93, arc, sizeof(arc));
	cr_expect_eq(k.size, 93 + sizeof(arc));
}

/* glibc writes a long in front of them, gprof an int. */
Test(gmon, passes_counts_of_basic_blocks_over)
{
	for (unsigned width = 4; width <= 8; width += 4) {
		const char *text;

		gmon(true, false);
		classics_put(&k, 2, 1);
		classics_put(&k, 2, width);
		for (unsigned i = 0; i < 4; i++)
			classics_put(&k, 0x1000 + i, 8);
		classics_put(&k, 1, 1);
		classics_put(&k, 0x1010, 8);
		classics_put(&k, 0x1030, 8);
		classics_put(&k, 1, 4);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", width, f.what);
		cr_expect_not_null(strstr(text, "\n1010->1030 1 at "), "%s",
		    text);
	}
}

/* Bins that are not of whole bytes still cover the range. */
Test(gmon, divides_a_range_without_gaps)
{
	gmon(true, false);
	k.bytes[29] = 0x45;
	cr_expect_str_eq(classics_read(&k, &c, &f),
	    "1004-1008 5 at 63 of 100\n"
	    "103c-1040 7 at 89 of 100\n"
	    "1010->1020 3 at 94\n");
}

static void
wrong(const char *what, uint64_t offset)
{
	cr_expect_null(classics_read(&k, &c, &f));
	cr_assert_not_null(f.what, "%s", what);
	cr_expect_str_eq(f.what, what);
	cr_expect_eq(f.offset, offset, "%s: at %llu", what,
	    (unsigned long long)f.offset);
}

/* The part before the damage is read. */
static void
left(const char *what, uint64_t offset)
{
	const char *text = classics_read(&k, &c, &f);

	cr_assert_not_null(text, "%s: %s", what, f.what);
	cr_expect_not_null(strstr(text, " 7 at "), "%s", text);
	cr_expect_null(strstr(text, "->"), "%s", text);
	cr_assert_not_null(c.damage.what, "%s", what);
	cr_expect_str_eq(c.damage.what, what);
	cr_expect_eq(c.damage.offset, offset, "%s: at %llu", what,
	    (unsigned long long)c.damage.offset);
}

Test(gmon, loses_a_record_not_a_file)
{
	for (unsigned i = 0; i < 4; i++) {
		gmon(i % 2 != 0, i / 2 != 0);
		k.size -= 1;
		left("an arc is cut short", k.size);
	}
	gmon(true, false);
	k.bytes[93] = 3;
	left("there is no such record", 93);
	gmon(true, false);
	cr_expect_not_null(classics_read(&k, &c, &f));
	cr_expect_null(c.damage.what);
}

Test(gmon, names_the_place_of_what_is_wrong)
{
	gmon(true, false);
	k.size = 92;
	wrong("bins are cut short", 92);
	k.size = 50;
	wrong("a histogram is cut short", 50);
	k.size = 10;
	wrong("gmon.out is cut short", 10);
	gmon(true, false);
	memset(k.bytes + 41, 0, 4);
	wrong("the rate is 0", 41);
	gmon(true, false);
	memcpy(k.bytes + 45, "bytes\0\0", 7);
	wrong("it does not count seconds", 45);
	gmon(true, false);
	k.bytes[29] = 0;		/* no range */
	k.bytes[30] = 0x10;
	wrong("the range of the bins is empty", 21);
	gmon(true, false);
	k.bytes[4] = 2;
	wrong("gmon.out has an unknown version", 4);
}

Test(gmon, reads_a_profile_of_ld_profile)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		classics_init(&k, i % 2 != 0, i / 2 != 0);
		classics_sprof(&k, 0x2000);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_SPROF);
		cr_expect_str_eq(text, k.wide ?
		    "2004-2008 5 at 66 of 100\n"
		    "2038-203c 7 at 92 of 100\n"
		    "2010->2020 3 at 104\n"
		    "2000?->2030 9 at 124\n" :
		    "2004-2008 5 at 58 of 100\n"
		    "2038-203c 7 at 84 of 100\n"
		    "2010->2020 3 at 96\n"
		    "2000?->2030 9 at 108\n");
	}
}

Test(gmon, believes_no_number_of_ld_profile)
{
	classics_init(&k, true, false);
	classics_sprof(&k, 0x2000);
	k.bytes[100] = 6;
	wrong("arcs are cut short", 100);
	k.bytes[100] = 2;
	k.bytes[96] = 2;
	wrong("the arcs are missing", 96);
	k.bytes[20] = 1;
	wrong("the histogram is missing", 20);
}

Test(gmon, survives_damage)
{
	gmon(true, false);
	classics_hurt(&k);
	gmon(false, true);
	classics_hurt(&k);
	classics_init(&k, true, false);
	classics_sprof(&k, 0x2000);
	classics_hurt(&k);
}
