/* Context: O.  Tests of core/format/classic/bsdgmon.c: golden files. */
#include "classics.h"

#include <criterion/criterion.h>
#include <string.h>

static struct classics k;
static struct classic c;
static struct fault f;

/* A header of 40 or 32 bytes, 16 bins, arcs of three words. */
Test(bsdgmon, reads_every_layout)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		classics_init(&k, i % 2 != 0, i / 2 != 0);
		classics_bsd(&k, 0x1000);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_BSD);
		cr_expect_eq(c.wide, k.wide);
		cr_expect_eq(c.bytes.big, k.big);
		cr_expect_str_eq(text, k.wide ?
		    "1004-1008 5 at 42 of 100\n"
		    "1038-103c 7 at 68 of 100\n"
		    "1010->1020 3 at 72\n" :
		    "1004-1008 5 at 34 of 100\n"
		    "1038-103c 7 at 60 of 100\n"
		    "1010->1020 3 at 64\n");
	}
}

/* 24 or 12 bytes and no rate; nothing but its numbers tells what it is. */
Test(bsdgmon, reads_the_oldest_in_every_layout)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		classics_init(&k, i % 2 != 0, i / 2 != 0);
		classics_bsd_old(&k, 0x1000);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_BSD_OLD, "%u: %d", i, c.kind);
		cr_expect_eq(c.wide, k.wide);
		cr_expect_eq(c.bytes.big, k.big);
		cr_expect_str_eq(text, k.wide ?
		    "1004-1008 5 at 26 of 0\n"
		    "1038-103c 7 at 52 of 0\n"
		    "1010->1020 3 at 56\n" :
		    "1004-1008 5 at 14 of 0\n"
		    "1038-103c 7 at 40 of 0\n"
		    "1010->1020 3 at 44\n");
	}
}

/* As gprof writes it with -O bsd. */
Test(bsdgmon, reads_a_header_that_is_not_rounded)
{
	classics_init(&k, true, false);
	classics_bsd_old(&k, 0x1000);
	memmove(k.bytes + 20, k.bytes + 24, k.size - 24);
	k.size -= 4;
	k.bytes[16] -= 4;
	cr_expect_str_eq(classics_read(&k, &c, &f),
	    "1004-1008 5 at 22 of 0\n"
	    "1038-103c 7 at 48 of 0\n"
	    "1010->1020 3 at 52\n");
	cr_expect_eq(c.kind, CLASSIC_BSD_OLD);
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

static void
bsd(void)
{
	classics_init(&k, true, false);
	classics_bsd(&k, 0x1000);
}

Test(bsdgmon, names_the_place_of_what_is_wrong)
{
	const char *text;

	bsd();
	k.size -= 1;
	text = classics_read(&k, &c, &f);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_null(strstr(text, "->"), "%s", text);
	cr_assert_not_null(c.damage.what);
	cr_expect_str_eq(c.damage.what, "an arc is cut short");
	cr_expect_eq(c.damage.offset, 95);
	bsd();
	k.size = 60;
	wrong("bins are cut short", 60);
	bsd();
	k.bytes[16] = 8;
	wrong("the length of the bins is 0", 16);
	bsd();
	k.bytes[24] = 0;
	wrong("the rate is 0", 24);
	bsd();
	k.bytes[28] = 64;
	wrong("bins are not of 16 bits", 28);
	bsd();
	k.bytes[9] = 0x0f;
	wrong("the range of the bins is empty", 0);
}

/* A file whose numbers do not all fit is another kind, not a damaged one. */
Test(bsdgmon, takes_nothing_else_for_the_oldest)
{
	classics_init(&k, true, false);
	classics_bsd_old(&k, 0x1000);
	k.size -= 1;
	cr_expect_null(classics_read(&k, &c, &f));
	cr_expect_null(f.what);
	classics_init(&k, true, false);
	classics_bsd_old(&k, 0x1000);
	k.bytes[64] = 0xff;		/* the callee */
	k.bytes[65] = 0xff;
	cr_expect_null(classics_read(&k, &c, &f));
	cr_expect_null(f.what);
}

Test(bsdgmon, survives_damage)
{
	bsd();
	classics_hurt(&k);
	classics_init(&k, false, true);
	classics_bsd_old(&k, 0x1000);
	classics_hurt(&k);
}
