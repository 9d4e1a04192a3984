/* Context: O.  Tests of core/import: profile.proto, compressed or not. */
#include "pprof_bytes.h"
#include "imports.h"
#include "base/wire.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <zlib.h>

Test(import_pprof, reads_what_is_not_compressed)
{
	const char *text;

	pprof_bytes_profile();
	text = pprof_bytes_reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_eq(x.format, IMPORT_PPROF);
	cr_expect_eq(x.each_ns, 1);
	cr_expect(text_equal_str(x.unit, "cpu"));
	cr_expect_str_eq(text, CPU);
}

Test(import_pprof, knows_the_brief_names_of_units)
{
	size = 0;
	pprof_bytes_pair(1, 1, 2);
	pprof_bytes_string("");
	pprof_bytes_string("wall");
	pprof_bytes_string("ms");
	cr_assert_not_null(pprof_bytes_reads(IMPORT_PPROF, NULL), "%s", f.what);
	cr_expect_eq(x.each_ns, 1000000);
}

Test(import_pprof, a_count_of_samples_is_of_periods)
{
	pprof_bytes_profile();
	cr_assert_not_null(pprof_bytes_reads(IMPORT_PPROF, "samples"), "%s",
	    f.what);
	cr_expect_eq(x.each_ns, 5000);
	cr_expect(text_equal_str(x.unit, "samples"));
	pprof_bytes_number(14, 1);		/* default_sample_type */
	cr_assert_not_null(pprof_bytes_reads(IMPORT_PPROF, NULL));
	cr_expect(text_equal_str(x.unit, "samples"));
	cr_expect_null(pprof_bytes_reads(IMPORT_PPROF, "sample"));
	cr_expect_str_eq(f.what, "there is no such type of values");
}

Test(import_pprof, says_what_is_wrong)
{
	size = 0;
	pprof_bytes_string("");
	pprof_bytes_wrong("is not a profile of pprof: it has no types of values");
	size = 0;
	pprof_bytes_string("x");
	size--;
	pprof_bytes_wrong("is not a profile of pprof");
}

Test(import_pprof, loses_a_sample_not_a_file)
{
	size_t at;

	pprof_bytes_profile();
	size--;
	pprof_bytes_left(CPU, "the file is cut short");
	pprof_bytes_profile();
	at = pprof_bytes_begin(2);
	pprof_bytes_number(1, 9);
	pprof_bytes_number(2, 1);
	pprof_bytes_number(2, 7);
	pprof_bytes_end(at);
	pprof_bytes_left(CPU "1 of 7: 0xffffffffffffffff\n",
	    "a sample names a location that does not exist");
	pprof_bytes_profile();
	at = pprof_bytes_begin(2);
	pprof_bytes_number(2, 1);
	pprof_bytes_end(at);
	pprof_bytes_left(CPU,
	    "a sample has another number of values than there are types");
	pprof_bytes_profile();
	at = pprof_bytes_begin(2);
	pprof_bytes_packed(1, 1, 0x81);
	pprof_bytes_end(at);
	pprof_bytes_left(CPU, "a number is cut short");
	pprof_bytes_profile();
	at = pprof_bytes_begin(2);
	bytes[size++] = 0x0f;	/* of a type that does not exist */
	pprof_bytes_end(at);
	pprof_bytes_left(CPU, "a sample is cut short");
}

/* As go tool pprof -proto -base writes them. */
Test(import_pprof, reads_what_is_below_zero)
{
	size_t at;
	const char *got;

	pprof_bytes_profile();
	at = pprof_bytes_begin(2);
	pprof_bytes_number(1, 2);
	pprof_bytes_number(2, (uint64_t)-1);
	pprof_bytes_number(2, (uint64_t)-10);
	pprof_bytes_end(at);
	got = pprof_bytes_reads(IMPORT_NONE, NULL);
	cr_assert_not_null(got, "%s", f.what);
	cr_expect_str_eq(got, CPU
	    "-1 of -10: 0x1020 (/bin/a 1000-2000 at 300 0aff)\n");
	cr_expect_eq(x.skipped.count, 0);
}

/* Some writers store numbers as texts. */
Test(import_pprof, reads_a_pid_that_is_a_text)
{
	const char *got;

	for (unsigned i = 0; i < 2; i++) {
		size_t at;

		pprof_bytes_profile();
		pprof_bytes_string(i == 0 ? "78" : "78 of 9");
		at = pprof_bytes_begin(2);
		pprof_bytes_number(1, 2);
		pprof_bytes_packed(2, 1, 10);
		pprof_bytes_label(11, 14, 0);
		pprof_bytes_end(at);
		got = pprof_bytes_reads(IMPORT_NONE, NULL);
		cr_assert_not_null(got, "%s", f.what);
		cr_expect_str_eq(got, i == 0 ? CPU
		    "1 of 10: 0x1020 (/bin/a 1000-2000 at 300 0aff) by 78/-1\n"
		    : CPU "1 of 10: 0x1020 (/bin/a 1000-2000 at 300 0aff)\n");
	}
}

/* A file of some bytes must not stand for any number of frames. */
Test(import_pprof, bounds_what_is_inlined)
{
	const unsigned char line[] = { 4 << 3 | 2, 0 };

	for (unsigned count = 256; count <= 257; count++) {
		size_t at;

		pprof_bytes_profile();
		bytes[size++] = 4 << 3 | 2;
		bytes[size++] = (unsigned char)((count * 2 + 2) & 0x7f) | 0x80;
		bytes[size++] = (unsigned char)((count * 2 + 2) >> 7);
		pprof_bytes_number(1, 3);
		for (unsigned i = 0; i < count; i++, size += sizeof(line))
			memcpy(bytes + size, line, sizeof(line));
		at = pprof_bytes_begin(2);
		pprof_bytes_number(1, 3);
		pprof_bytes_packed(2, 1, 1);
		pprof_bytes_end(at);
		if (count == 256)
			cr_expect_not_null(pprof_bytes_reads(IMPORT_PPROF,
			    NULL));
		else
			pprof_bytes_left(CPU,
			    "too many functions are inlined at a place");
	}
}

Test(import_pprof, is_hurt_without_harm)
{
	pprof_bytes_profile();
	imports_hurt(bytes, size, IMPORT_PPROF);
}

/* Nine bytes hold 63 bits: of the tenth, one bit is left. */
Test(import_pprof, knows_numbers_of_64_bits_and_no_more)
{
	unsigned char ten[10];
	uint64_t value;

	memset(ten, 0xff, sizeof(ten));
	ten[9] = 1;
	cr_expect_eq(wire_number(&(struct wire) { ten, ten + 10 }, &value),
	    1);
	cr_expect_eq(value, UINT64_MAX);
	ten[9] = 2;
	cr_expect_eq(wire_number(&(struct wire) { ten, ten + 10 }, &value),
	    -EINVAL);
}
