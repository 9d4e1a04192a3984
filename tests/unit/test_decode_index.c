/* Context: O.  Tests of core/format/decode/decode_index.c: the bounds, to the
 * unit. */
#include "decode/decode_index.h"

#include <criterion/criterion.h>
#include <string.h>

#define SIZE	(FORMAT_HEADER + 10 * FORMAT_UNIT)
#define FIRST	(FORMAT_HEADER / FORMAT_UNIT)
#define END	(FIRST + 10)

static unsigned char bytes[SIZE], seen[END / 8 + 1];
static struct decode d = {.bytes = bytes, .size = SIZE, .seen = seen};
static struct fault f;

static int
sealed(uint32_t index, size_t count)
{
	f = (struct fault){0};
	d.sealed = true;
	return decode_index_peek(&d, 0x123, index, count, &f);
}

static int
live(uint32_t index, size_t count)
{
	d.sealed = false;
	return decode_index_peek(&d, 0x123, index, count, &f);
}

Test(decode_index, index_0_is_none)
{
	cr_expect_eq(sealed(0, 16), 0);
	cr_expect_eq(live(0, 16), 0);
}

Test(decode_index, bounds)
{
	cr_expect_eq(sealed(FIRST, SIZE - FORMAT_HEADER), 1);
	cr_expect_eq(sealed(END - 3, 48), 1);
	cr_expect_lt(sealed(END - 3, 49), 0);
	cr_expect_eq(f.offset, 0x123);
	cr_expect_eq(sealed(END, 0), 1);
	cr_expect_lt(sealed(END, 1), 0);
	cr_expect_lt(sealed(FIRST - 1, 1), 0);
	cr_expect_lt(sealed(1, 1), 0);
	cr_expect_lt(sealed(UINT32_MAX, 1), 0);
	cr_expect_lt(sealed(END + 1, 0), 0);
}

Test(decode_index, a_live_file_is_cut_but_never_in_its_header)
{
	cr_expect_eq(live(END - 3, 48), 1);
	cr_expect_eq(live(END - 2, 48), DECODE_INDEX_TRUNCATED);
	cr_expect_eq(live(UINT32_MAX, 1), DECODE_INDEX_TRUNCATED);
	cr_expect_lt(live(FIRST - 1, 1), 0);
	cr_expect_str_eq(f.what, "a link points into the header");
}

Test(decode_index, a_record_is_claimed_with_all_its_units)
{
	cr_assert_eq(decode_index_claim(&d, 1, FIRST + 2, 48, &f), 0);
	for (uint32_t i = FIRST; i < END; i++)
		cr_expect_eq(decode_index_is_marked(seen, i),
		    i >= FIRST + 2 && i < FIRST + 5, "unit %u", i);
	cr_expect_lt(decode_index_claim(&d, 1, FIRST, 48, &f), 0);
	cr_expect_lt(decode_index_claim(&d, 1, FIRST + 4, 16, &f), 0);
	cr_expect_eq(decode_index_claim(&d, 1, FIRST + 5, 16, &f), 0);
}

Test(decode_index, meeting)
{
	memset(bytes + FORMAT_HEADER, 1, 48);
	d.sealed = false;
	cr_expect_eq(decode_index_visit(&d, 1, 0, 48, &f), 0);
	cr_expect_eq(d.cut, 0);
	cr_expect_eq(decode_index_visit(&d, 1, FIRST, 48, &f), 1);
	cr_expect_eq(decode_index_visit(&d, 1, FIRST + 3, 48, &f), 0,
	    "all zero");
	cr_expect_eq(decode_index_visit(&d, 1, END, 48, &f), 0,
	    "out of the copy");
	cr_expect_eq(d.cut, 2);
	cr_expect_lt(decode_index_visit(&d, 7, FIRST, 48, &f), 0, "again");
	cr_expect_eq(f.offset, 7);
}
