/* Context: O.  See pprof_bytes.h. */
#include "pprof_bytes.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <zlib.h>

unsigned char bytes[8192];
size_t size;
struct import x;
struct fault f;

void
pprof_bytes_number(unsigned field, uint64_t value)
{
	bytes[size++] = (unsigned char)(field << 3);
	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (unsigned char)(value | 0x80);
	bytes[size++] = (unsigned char)value;
}

size_t
pprof_bytes_begin(unsigned field)
{
	bytes[size++] = (unsigned char)(field << 3 | 2);
	return size++;
}

void
pprof_bytes_end(size_t at)
{
	bytes[at] = (unsigned char)(size - at - 1);
}

void
pprof_bytes_string(const char *text)
{
	const size_t at = pprof_bytes_begin(6);

	memcpy(bytes + size, text, strlen(text));
	size += strlen(text);
	pprof_bytes_end(at);
}

void
pprof_bytes_pair(unsigned field, uint64_t first, uint64_t second)
{
	const size_t at = pprof_bytes_begin(field);

	pprof_bytes_number(1, first);
	pprof_bytes_number(2, second);
	pprof_bytes_end(at);
}

void
pprof_bytes_function(uint64_t id, uint64_t name, uint64_t system, uint64_t file)
{
	const size_t at = pprof_bytes_begin(5);

	pprof_bytes_number(1, id);
	pprof_bytes_number(2, name);
	pprof_bytes_number(3, system);
	pprof_bytes_number(4, file);
	pprof_bytes_end(at);
}

void
pprof_bytes_mapping(void)
{
	const size_t at = pprof_bytes_begin(3);

	pprof_bytes_number(1, 1);
	pprof_bytes_number(2, 0x1000);
	pprof_bytes_number(3, 0x2000);
	pprof_bytes_number(4, 0x300);
	pprof_bytes_number(5, 6);
	pprof_bytes_number(6, 7);
	pprof_bytes_end(at);
}

void
pprof_bytes_location(uint64_t id, uint64_t address, uint64_t inner,
    uint64_t outer)
{
	const size_t at = pprof_bytes_begin(4);

	pprof_bytes_number(1, id);
	pprof_bytes_number(2, 1);
	pprof_bytes_number(3, address);
	if (inner != 0)
		pprof_bytes_pair(4, inner, 10 + inner);
	if (outer != 0)
		pprof_bytes_pair(4, outer, 10 + outer);
	pprof_bytes_end(at);
}

void
pprof_bytes_packed(unsigned field, unsigned first, unsigned second)
{
	const size_t at = pprof_bytes_begin(field);

	bytes[size++] = (unsigned char)first;
	bytes[size++] = (unsigned char)second;
	pprof_bytes_end(at);
}

void
pprof_bytes_label(uint64_t key, uint64_t text, uint64_t value)
{
	const size_t at = pprof_bytes_begin(3);

	pprof_bytes_number(1, key);
	if (text != 0) {
		pprof_bytes_number(2, text);
	} else {
		pprof_bytes_number(3, value);
		pprof_bytes_number(4, 2);	/* the unit */
	}
	pprof_bytes_end(at);
}

void
pprof_bytes_samples(void)
{
	size_t at = pprof_bytes_begin(2);

	pprof_bytes_packed(1, 1, 2);
	pprof_bytes_packed(2, 3, 30);
	pprof_bytes_label(11, 0, 77);
	pprof_bytes_label(12, 10, 0);
	pprof_bytes_end(at);
	at = pprof_bytes_begin(2);		/* not packed */
	pprof_bytes_number(1, 2);
	pprof_bytes_number(2, 1);
	pprof_bytes_number(2, 10);
	pprof_bytes_end(at);
}

void
pprof_bytes_profile(void)
{
	static const char *const texts[] = {
		"", "samples", "count", "cpu", "nanoseconds", "inner",
		"/bin/a", "0aff", "outer", "_Zouter", "prog", "pid",
		"process", "a.c",
	};

	size = 0;
	pprof_bytes_pair(1, 1, 2);
	pprof_bytes_pair(1, 3, 4);
	pprof_bytes_samples();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		pprof_bytes_string(texts[i]);
	pprof_bytes_mapping();
	pprof_bytes_function(1, 5, 0, 13);
	pprof_bytes_function(2, 8, 9, 0);
	pprof_bytes_location(1, 0x1010, 1, 2);
	pprof_bytes_location(2, 0x1020, 0, 0);
	pprof_bytes_pair(11, 3, 4);
	pprof_bytes_number(12, 5000);
	pprof_bytes_number(99, 1);		/* of a newer one */
}

const char *
pprof_bytes_reads(enum import_format asked, const char *choice)
{
	return imports_read(bytes, size, asked, choice, &x, &f);
}

void
pprof_bytes_wrong(const char *what)
{
	cr_expect_null(pprof_bytes_reads(IMPORT_PPROF, NULL));
	cr_assert_not_null(f.what, "%s", what);
	cr_expect_str_eq(f.what, what);
}

void
pprof_bytes_left(const char *wanted, const char *what)
{
	const char *got = pprof_bytes_reads(IMPORT_PPROF, NULL);

	cr_assert_not_null(got, "%s: %s", what, f.what);
	cr_expect_str_eq(got, wanted, "%s:\n%s", what, got);
	cr_expect_eq(x.skipped.count, 1);
	cr_expect_str_eq(x.skipped.what, what);
}
