/* Context: O.  Tests of core/format/classic/profout.c: a golden file. */
#include "classics.h"
#include "classic/profout_put.h"

#include <criterion/criterion.h>
#include <string.h>

static struct classics k;
static struct classic c;
static struct fault f;

static void
profout(bool big)
{
	classics_init(&k, true, big);
	classics_prof(&k, 0x10000);
}

/* Modules at 16, calls at 128, nothing at 296, samples at 312. */
Test(profout, reads_both_byte_orders)
{
	for (unsigned i = 0; i < 2; i++) {
		const char *text;

		profout(i != 0);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_PROF);
		cr_expect_eq(c.bytes.big, k.big);
		cr_expect_str_eq(text,
		    "/none/prog 10000-11000\n"
		    "/none/lib.so 11000-12000\n"
		    "10010->10020 3 at 152\n"
		    "11010->10020 4 at 200\n"
		    "10010->11030 5 at 248\n"
		    "10024-10025 1 at 344 of 0\n"
		    "10024-10025 1 at 352 of 0\n"
		    "11034-11035 1 at 360 of 0\n"
		    "10-11 1 at 368 of 0\n");
	}
}

static void
put_modules(uint64_t low, const char *path, size_t bytes)
{
	classics_put(&k, 3, 4);
	classics_put(&k, 1, 4);
	classics_put(&k, 24 + 32 + bytes, 8);
	classics_put(&k, 24, 8);
	classics_put(&k, 0, 8);
	classics_put(&k, 56, 8);
	classics_put(&k, low, 8);
	classics_put(&k, low + 0x100, 8);
	classics_text(&k, path, bytes);
}

static void
tprof_writer_sample(uint64_t pc)
{
	classics_put(&k, 1, 4);
	classics_put(&k, 1, 4);
	classics_put(&k, 40, 8);
	classics_put(&k, 32, 8);
	classics_put(&k, 1, 8);
	classics_put(&k, pc, 8);
}

/* dlclose() and dlopen(): one address, two libraries. */
Test(profout, keeps_the_order_of_lists_and_samples)
{
	classics_init(&k, true, false);
	classics_put(&k, PROFOUT_MAGIC, 4);
	classics_put(&k, 1, 2);
	classics_put(&k, 0, 2);
	classics_put(&k, 16, 8);
	tprof_writer_sample(0x1001);
	put_modules(0x1000, "/one\0\0\0", 8);
	tprof_writer_sample(0x1002);
	put_modules(0x1000, "/two\0\0\0", 8);
	tprof_writer_sample(0x1003);
	cr_expect_str_eq(classics_read(&k, &c, &f),
	    "/one 1000-1100\n"
	    "1001-1002 1 at 48 of 0\n"
	    "1002-1003 1 at 152 of 0\n"
	    "/two 1000-1100\n"
	    "1003-1004 1 at 256 of 0\n");
}

Test(profout, reads_what_it_writes)
{
	unsigned char head[PROFOUT_HEADER], object[PROFOUT_OBJECT];

	profout_put_header(head);
	profout_put_object(object, PROFOUT_MODULES, 112);
	profout(false);
	cr_expect_arr_eq(k.bytes, head, sizeof(head));
	cr_expect_arr_eq(k.bytes + 16, object, sizeof(object));
}

static void
wrong(size_t at, unsigned char value, const char *what, uint64_t offset)
{
	profout(false);
	k.bytes[at] = value;
	cr_expect_null(classics_read(&k, &c, &f), "%s", what);
	cr_assert_not_null(f.what, "%s", what);
	cr_expect_str_eq(f.what, what);
	cr_expect_eq(f.offset, offset, "%s: at %llu", what,
	    (unsigned long long)f.offset);
}

Test(profout, names_the_place_of_what_is_wrong)
{
	wrong(4, 2, "mon.out has an unknown version", 4);
	wrong(8, 8, "mon.out is cut short", 8);
	wrong(16, 9, "there is no such object", 16);
	wrong(24, 8, "an object is cut short", 24);
	wrong(32, 100, "a link leads out of its object", 16);
	wrong(48, 112, "a path leads out of its object", 48);
	wrong(66, 0, "a module ends before its start", 56);
}

/* The objects before a wrong one, or one that is cut off, are read. */
Test(profout, loses_an_object_not_a_file)
{
	static const char calls[] = "/none/prog 10000-11000\n"
	    "/none/lib.so 11000-12000\n"
	    "10010->10020 3 at 152\n"
	    "11010->10020 4 at 200\n"
	    "10010->11030 5 at 248\n";
	static const struct {
		size_t at, cut;
		const char *what;
		uint64_t offset;
	} faults[] = {
		{ 313, 0, "there is no such object", 312 },
		{ 336, 0, "samples are cut short", 328 },
		{ 16, 3, "an object is cut short", 320 },
		{ 16, 60, "an object is cut short", 316 },
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		profout(false);
		if (faults[i].cut == 0)
			k.bytes[faults[i].at] = 5;
		k.size -= faults[i].cut;
		cr_expect_str_eq(classics_read(&k, &c, &f), calls, "%zu", i);
		cr_assert_not_null(c.damage.what);
		cr_expect_str_eq(c.damage.what, faults[i].what);
		cr_expect_eq(c.damage.offset, faults[i].offset, "%zu: at %llu",
		    i, (unsigned long long)c.damage.offset);
	}
	profout(false);
	classics_text(&k, "behind it", 9);
	cr_assert_not_null(classics_read(&k, &c, &f));
	cr_expect_str_eq(c.damage.what, "an object is cut short");
	cr_expect_eq(c.damage.offset, k.size);
}

/* Callers, functions and modules are lists. */
Test(profout, follows_no_circle)
{
	profout(false);
	k.bytes[152] = 24;		/* the first function is its next */
	cr_expect_null(classics_read(&k, &c, &f));
	cr_expect_str_eq(f.what, "links lead in a circle");
	profout(false);
	k.bytes[208] = 72;		/* the second caller is its next */
	cr_expect_null(classics_read(&k, &c, &f));
	cr_expect_str_eq(f.what, "links lead in a circle");
	profout(false);
	k.bytes[72] = 24;		/* the first module follows the last */
	cr_expect_null(classics_read(&k, &c, &f));
	cr_expect_str_eq(f.what, "links lead in a circle");
}

Test(profout, survives_damage)
{
	profout(false);
	classics_hurt(&k);
	profout(true);
	classics_hurt(&k);
}
