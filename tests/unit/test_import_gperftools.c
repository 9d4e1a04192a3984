/* Context: O.  Tests of core/import: CPU profiles of gperftools. */
#include "classics.h"
#include "imports.h"

#include <criterion/criterion.h>

static struct classics k;
static struct import x;
static struct fault f;

static const char map[] =
    "1000-2000 r-xp 00003000 fe:01 1234     /bin/a b\n"
    "build=/usr\n"
    "8000-9000 rw-p 00000000 00:00 0 \n"
    "4000-5000 r-xp 00000000 00:00 0   [vdso]\n";

static void
profile(bool wide, bool big)
{
	static const unsigned words[] = {
		0, 3, 0, 4000, 0,
		2, 3, 0x1010, 0x4001, 0x9000,
		1, 1, 0x1fff,
		0, 1, 0,
	};

	classics_init(&k, wide, big);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		classics_word(&k, words[i]);
	classics_text(&k, map, sizeof(map) - 1);
}

static const char *
reads(void)
{
	return imports_read(k.bytes, k.size, IMPORT_NONE, NULL, &x, &f);
}

/* Callers are where they called, a byte at least before what they return to. */
Test(import_gperftools, reads_every_layout)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		profile(i % 2 != 0, i / 2 != 0);
		text = reads();
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(x.format, IMPORT_GPERFTOOLS);
		cr_expect_eq(x.each_ns, 4000000);
		cr_expect_str_eq(text,
		    "2 of 2: 0x1010 (/bin/a b 1000-2000 at 3000) "
		    "<0x4000 ([vdso] 4000-5000 at 0) <0x8fff\n"
		    "1 of 1: 0x1fff (/bin/a b 1000-2000 at 3000)\n");
	}
}

/* Ours has microseconds: how many samples they were is not told. */
Test(import_gperftools, a_part_of_time_is_no_sample)
{
	profile(true, false);
	k.bytes[8 * 3] = 1;
	k.bytes[8 * 3 + 1] = 0;
	cr_expect_str_eq(reads(),
	    "0 of 2: 0x1010 (/bin/a b 1000-2000 at 3000) "
	    "<0x4000 ([vdso] 4000-5000 at 0) <0x8fff\n"
	    "0 of 1: 0x1fff (/bin/a b 1000-2000 at 3000)\n");
	cr_expect_eq(x.each_ns, 1000);
	cr_expect(text_equal_str(x.unit, "us"));
}

/* The part before that place is read. */
static void
left(const char *wanted, const char *what, uint64_t offset)
{
	const char *got = reads();

	cr_assert_not_null(got, "%s: %s", what, f.what);
	cr_expect_str_eq(got, wanted);
	cr_expect_eq(x.skipped.count, 1);
	cr_expect_str_eq(x.skipped.what, what);
	cr_expect_eq(x.skipped.first, offset, "%s: at %llu", what,
	    (unsigned long long)x.skipped.first);
}

Test(import_gperftools, loses_a_record_not_a_file)
{
	static const char first[] = "2 of 2: 0x1010 <0x4000 <0x8fff\n";
	static const char both[] = "2 of 2: 0x1010 <0x4000 <0x8fff\n"
	    "1 of 1: 0x1fff\n";

	profile(true, false);
	k.size = 8 * 13 + 16;
	left(both, "has no end", 8 * 13);
	profile(true, false);
	memset(k.bytes + 8 * 11, 0, 8);
	left(first, "a stack is empty", 8 * 10);
}

/* Another file behind it, and a map that ends within a path. */
Test(import_gperftools, loses_a_line_of_the_map)
{
	static const char what[] = "not a line of a memory map";
	const char *both = "2 of 2: 0x1010 (/bin/a b 1000-2000 at 3000) "
	    "<0x4000 ([vdso] 4000-5000 at 0) <0x8fff\n"
	    "1 of 1: 0x1fff (/bin/a b 1000-2000 at 3000)\n";

	profile(true, false);
	classics_text(&k, "trailing\0garbage", 16);
	left(both, what, k.size - 16);
	profile(true, false);
	k.size -= 3;
	left("2 of 2: 0x1010 (/bin/a b 1000-2000 at 3000) <0x4000 <0x8fff\n"
	    "1 of 1: 0x1fff (/bin/a b 1000-2000 at 3000)\n", what,
	    8 * 16 + sizeof("1000-2000 r-xp 00003000 fe:01 1234     /bin/a b\n"
	    "build=/usr\n8000-9000 rw-p 00000000 00:00 0 \n") - 1);
}

Test(import_gperftools, names_the_place_of_what_is_wrong)
{
	profile(true, false);
	k.size = 8 * 9;
	cr_expect_null(reads());
	cr_expect_str_eq(f.what, "a stack is cut short");
	cr_expect_eq(f.offset, 8 * 5);
	profile(true, false);
	memset(k.bytes + 8 * 6, 0xff, 8);
	cr_expect_null(reads());
	cr_expect_str_eq(f.what, "a stack is cut short");
	cr_expect_eq(f.offset, 8 * 5);
}

Test(import_gperftools, is_asked_for_in_vain)
{
	profile(true, false);
	k.bytes[8] = 1;
	cr_expect_null(imports_read(k.bytes, k.size, IMPORT_GPERFTOOLS, NULL,
	    &x, &f));
	cr_expect_str_eq(f.what, "is not a CPU profile of gperftools");
	cr_expect_eq(f.offset, 0);
}

Test(import_gperftools, is_hurt_without_harm)
{
	for (unsigned i = 0; i < 4; i++) {
		profile(i % 2 != 0, i / 2 != 0);
		imports_hurt(k.bytes, k.size, IMPORT_GPERFTOOLS);
	}
}
