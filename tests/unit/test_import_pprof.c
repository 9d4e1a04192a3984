/* Context: O.  Tests of core/import: profile.proto, compressed or not. */
#include "imports.h"
#include "base/wire.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <zlib.h>

static unsigned char bytes[8192];
static size_t size;
static struct import x;
static struct fault f;

static void
number(unsigned field, uint64_t value)
{
	bytes[size++] = (unsigned char)(field << 3);
	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (unsigned char)(value | 0x80);
	bytes[size++] = (unsigned char)value;
}

/* Begins a field below 128 bytes; returns where end() puts its length. */
static size_t
begin(unsigned field)
{
	bytes[size++] = (unsigned char)(field << 3 | 2);
	return size++;
}

static void
end(size_t at)
{
	bytes[at] = (unsigned char)(size - at - 1);
}

static void
string(const char *text)
{
	const size_t at = begin(6);

	memcpy(bytes + size, text, strlen(text));
	size += strlen(text);
	end(at);
}

static void
pair(unsigned field, uint64_t first, uint64_t second)
{
	const size_t at = begin(field);

	number(1, first);
	number(2, second);
	end(at);
}

static void
function(uint64_t id, uint64_t name, uint64_t system, uint64_t file)
{
	const size_t at = begin(5);

	number(1, id);
	number(2, name);
	number(3, system);
	number(4, file);
	end(at);
}

static void
mapping(void)
{
	const size_t at = begin(3);

	number(1, 1);
	number(2, 0x1000);
	number(3, 0x2000);
	number(4, 0x300);
	number(5, 6);
	number(6, 7);
	end(at);
}

/* A line for each function that is not 0. */
static void
location(uint64_t id, uint64_t address, uint64_t inner, uint64_t outer)
{
	const size_t at = begin(4);

	number(1, id);
	number(2, 1);
	number(3, address);
	if (inner != 0)
		pair(4, inner, 10 + inner);
	if (outer != 0)
		pair(4, outer, 10 + outer);
	end(at);
}

static void
packed(unsigned field, unsigned first, unsigned second)
{
	const size_t at = begin(field);

	bytes[size++] = (unsigned char)first;
	bytes[size++] = (unsigned char)second;
	end(at);
}

static void
label(uint64_t key, uint64_t text, uint64_t value)
{
	const size_t at = begin(3);

	number(1, key);
	if (text != 0)
		number(2, text);
	else
		number(3, value);
	end(at);
}

static void
samples(void)
{
	size_t at = begin(2);

	packed(1, 1, 2);
	packed(2, 3, 30);
	label(11, 0, 77);
	label(12, 10, 0);
	end(at);
	at = begin(2);		/* not packed */
	number(1, 2);
	number(2, 1);
	number(2, 10);
	end(at);
}

/* Samples stand before what they are of: that has to be no matter. */
static void
profile(void)
{
	static const char *const texts[] = {
		"", "samples", "count", "cpu", "nanoseconds", "inner",
		"/bin/a", "0aff", "outer", "_Zouter", "prog", "pid",
		"process", "a.c",
	};

	size = 0;
	pair(1, 1, 2);
	pair(1, 3, 4);
	samples();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		string(texts[i]);
	mapping();
	function(1, 5, 0, 13);
	function(2, 8, 9, 0);
	location(1, 0x1010, 1, 2);
	location(2, 0x1020, 0, 0);
	pair(11, 3, 4);
	number(12, 5000);
	number(99, 1);		/* of a newer one */
}

static const char *
reads(enum import_format asked, const char *choice)
{
	return imports_read(bytes, size, asked, choice, &x, &f);
}

#define CPU "3 of 30: inner a.c:11 (/bin/a 1000-2000 at 300 0aff) " \
	"~_Zouter :12 (/bin/a 1000-2000 at 300 0aff) " \
	"<0x1020 (/bin/a 1000-2000 at 300 0aff) by 77/-1 prog\n" \
	"1 of 10: 0x1020 (/bin/a 1000-2000 at 300 0aff)\n"

Test(import_pprof, reads_what_is_not_compressed)
{
	const char *text;

	profile();
	text = reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_eq(x.format, IMPORT_PPROF);
	cr_expect_eq(x.each_ns, 1);
	cr_expect(text_equal_str(x.unit, "cpu"));
	cr_expect_str_eq(text, CPU);
}

Test(import_pprof, knows_the_brief_names_of_units)
{
	size = 0;
	pair(1, 1, 2);
	string("");
	string("wall");
	string("ms");
	cr_assert_not_null(reads(IMPORT_PPROF, NULL), "%s", f.what);
	cr_expect_eq(x.each_ns, 1000000);
}

Test(import_pprof, a_count_of_samples_is_of_periods)
{
	profile();
	cr_assert_not_null(reads(IMPORT_PPROF, "samples"), "%s", f.what);
	cr_expect_eq(x.each_ns, 5000);
	cr_expect(text_equal_str(x.unit, "samples"));
	number(14, 1);		/* default_sample_type */
	cr_assert_not_null(reads(IMPORT_PPROF, NULL));
	cr_expect(text_equal_str(x.unit, "samples"));
	cr_expect_null(reads(IMPORT_PPROF, "sample"));
	cr_expect_str_eq(f.what, "there is no such type of values");
}

static void
wrong(const char *what)
{
	cr_expect_null(reads(IMPORT_PPROF, NULL));
	cr_assert_not_null(f.what, "%s", what);
	cr_expect_str_eq(f.what, what);
}

static void
left(const char *wanted, const char *what)
{
	const char *got = reads(IMPORT_PPROF, NULL);

	cr_assert_not_null(got, "%s: %s", what, f.what);
	cr_expect_str_eq(got, wanted, "%s:\n%s", what, got);
	cr_expect_eq(x.skipped.count, 1);
	cr_expect_str_eq(x.skipped.what, what);
}

Test(import_pprof, says_what_is_wrong)
{
	size = 0;
	string("");
	wrong("is not a profile of pprof: it has no types of values");
	size = 0;
	string("x");
	size--;
	wrong("is not a profile of pprof");
}

Test(import_pprof, loses_a_sample_not_a_file)
{
	size_t at;

	profile();
	size--;
	left(CPU, "the file is cut short");
	profile();
	at = begin(2);
	number(1, 9);
	number(2, 1);
	number(2, 7);
	end(at);
	left(CPU "1 of 7: 0xffffffffffffffff\n",
	    "a sample names a location that does not exist");
	profile();
	at = begin(2);
	number(2, 1);
	end(at);
	left(CPU, "a sample has another number of values than there are types");
	profile();
	at = begin(2);
	packed(1, 1, 0x81);
	end(at);
	left(CPU, "a number is cut short");
	profile();
	at = begin(2);
	bytes[size++] = 0x0f;	/* of a type that does not exist */
	end(at);
	left(CPU, "a sample is cut short");
}

/* As go tool pprof -proto -base writes them. */
Test(import_pprof, reads_what_is_below_zero)
{
	size_t at;
	const char *got;

	profile();
	at = begin(2);
	number(1, 2);
	number(2, (uint64_t)-1);
	number(2, (uint64_t)-10);
	end(at);
	got = reads(IMPORT_NONE, NULL);
	cr_assert_not_null(got, "%s", f.what);
	cr_expect_str_eq(got, CPU
	    "-1 of -10: 0x1020 (/bin/a 1000-2000 at 300 0aff)\n");
	cr_expect_eq(x.skipped.count, 0);
}

/* A file of some bytes must not stand for any number of frames. */
Test(import_pprof, bounds_what_is_inlined)
{
	const unsigned char line[] = { 4 << 3 | 2, 0 };

	for (unsigned count = 256; count <= 257; count++) {
		size_t at;

		profile();
		bytes[size++] = 4 << 3 | 2;
		bytes[size++] = (unsigned char)((count * 2 + 2) & 0x7f) | 0x80;
		bytes[size++] = (unsigned char)((count * 2 + 2) >> 7);
		number(1, 3);
		for (unsigned i = 0; i < count; i++, size += sizeof(line))
			memcpy(bytes + size, line, sizeof(line));
		at = begin(2);
		number(1, 3);
		packed(2, 1, 1);
		end(at);
		if (count == 256)
			cr_expect_not_null(reads(IMPORT_PPROF, NULL));
		else
			left(CPU, "too many functions are inlined at a place");
	}
}

static size_t
compress_to(unsigned char *to, size_t room, const void *from, size_t count)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)from,
		.avail_in = (unsigned)count, .next_out = to,
		.avail_out = (unsigned)room };

	cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8,
	    Z_DEFAULT_STRATEGY), Z_OK);
	cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

Test(import_pprof, inflates)
{
	unsigned char packed_bytes[8192];
	const char *text;

	profile();
	size = compress_to(packed_bytes, sizeof(packed_bytes), bytes, size);
	memcpy(bytes, packed_bytes, size);
	text = reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_str_eq(text, CPU);
	imports_hurt(bytes, size, IMPORT_NONE);
	/* The checksum at the end is missing; the rest is complete. */
	size -= 8;
	left(CPU, "is compressed and truncated");
	bytes[12] ^= 0xff;
	wrong("is compressed and damaged");
}

/* As pigz and cat make them. */
Test(import_pprof, inflates_every_member)
{
	unsigned char packed_bytes[8192];
	size_t first;
	const char *text;

	profile();
	first = compress_to(packed_bytes, sizeof(packed_bytes), bytes,
	    size / 2);
	size = first + compress_to(packed_bytes + first, sizeof(packed_bytes) -
	    first, bytes + size / 2, size - size / 2);
	memcpy(bytes, packed_bytes, size);
	text = reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_str_eq(text, CPU);
	memset(bytes + size, 0, 7);
	size += 7;
	cr_expect_not_null(reads(IMPORT_NONE, NULL));
	bytes[size++] = 'x';
	left(CPU, "is compressed and damaged");
}

/* 64 MiB of zeros are 64 KiB: more than any profile shrinks. */
Test(import_pprof, does_not_inflate_without_bounds)
{
	const size_t zeros = 64u << 20, room = 1u << 20;
	unsigned char *from = calloc(zeros, 1), *to = malloc(room);

	cr_assert(from != NULL && to != NULL);
	cr_expect_null(imports_read(to, compress_to(to, room, from, zeros),
	    IMPORT_NONE, NULL, &x, &f));
	cr_assert_not_null(f.what);
	cr_expect_str_eq(f.what,
	    "is too large for a profile when it is decompressed");
	free(from);
	free(to);
}

Test(import_pprof, is_hurt_without_harm)
{
	profile();
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
