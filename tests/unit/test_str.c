/* Context: O.  Tests of core/hot/base/str.c. */
#include "base/str.h"

#include <criterion/criterion.h>
#include <string.h>

Test(str, texts_that_fit)
{
	char place[8];
	struct str s;

	str_init(&s, place, sizeof place);
	cr_expect_str_eq(place, "");
	str_add(&s, "abc");
	str_add_bytes(&s, "defg!", 4);
	cr_expect_str_eq(place, "abcdefg");
	cr_expect_not(s.full);
	cr_expect_eq(s.at, place + 7);
	str_add(&s, "");
	cr_expect_not(s.full);
}

Test(str, texts_that_do_not)
{
	char place[9] = "........";
	struct str s;

	str_init(&s, place, 8);
	str_add(&s, "abcdefgh");
	cr_expect_str_eq(place, "abcdefg");
	cr_expect(s.full);
	cr_expect_eq(place[8], '\0');
	str_add_number(&s, 1);
	cr_expect_str_eq(place, "abcdefg");
}

Test(str, no_place_at_all)
{
	char place[1] = "x";
	struct str s;

	str_init(&s, place, 0);
	cr_expect(s.full);
	str_add(&s, "abc");
	cr_expect_eq(place[0], 'x');
	str_init(&s, place, 1);
	cr_expect_not(s.full);
	str_add(&s, "a");
	cr_expect(s.full);
	cr_expect_str_eq(place, "");
}

static void
writes(uint64_t n, const char *want)
{
	char place[24];
	struct str s;

	str_init(&s, place, sizeof place);
	str_add_number(&s, n);
	cr_expect_str_eq(place, want);
	cr_expect_not(s.full);
}

Test(str, numbers)
{
	writes(0, "0");
	writes(9, "9");
	writes(10, "10");
	writes(1002003004, "1002003004");
	writes(UINT64_MAX, "18446744073709551615");
}

static void
reads(uint64_t (*read)(const char **), const char *text, uint64_t want,
    size_t behind)
{
	const char *p = text;

	cr_expect_eq(read(&p), want, "%s", text);
	cr_expect_eq(p, text + behind, "%s: %td", text, p - text);
}

Test(str, digits)
{
	reads(str_decimal, "", 0, 0);
	reads(str_decimal, "007x", 7, 3);
	reads(str_decimal, "12:", 12, 2);
	reads(str_decimal, "-1", 0, 0);
	reads(str_decimal, "18446744073709551614", UINT64_MAX - 1, 20);
	reads(str_decimal, "18446744073709551615", UINT64_MAX, 20);
	reads(str_decimal, "18446744073709551617", UINT64_MAX, 20);
	reads(str_decimal, "99999999999999999999999", UINT64_MAX, 23);
	reads(str_hex, "0", 0, 1);
	reads(str_hex, "7ffd1a2b3c4d-", 0x7ffd1a2b3c4d, 12);
	reads(str_hex, "ffffffffff600000 ", 0xffffffffff600000, 16);
	reads(str_hex, "aG", 10, 1);
	reads(str_hex, "A", 0, 0);
	reads(str_hex, "9:", 9, 1);
	reads(str_hex, "`", 0, 0);
}

Test(str, comparisons)
{
	cr_expect(str_equal("", ""));
	cr_expect(str_equal("ab", "ab"));
	cr_expect_not(str_equal("ab", "abc"));
	cr_expect_not(str_equal("abc", "ab"));
	cr_expect_not(str_equal("ab", "aB"));
	cr_expect(str_begins("abc", ""));
	cr_expect(str_begins("abc", "abc"));
	cr_expect_not(str_begins("ab", "abc"));
	cr_expect_not(str_begins("", "a"));
	cr_expect_eq(str_length(""), 0);
	cr_expect_eq(str_length("abc"), 3);
}

Test(str, copies)
{
	char place[5] = "....";

	str_copy(place, "abcdefg", 4);
	cr_expect_str_eq(place, "abc");
	str_copy(place, "x", 4);
	cr_expect_str_eq(place, "x");
	cr_expect_eq(place[4], '\0');
}

Test(str, memory)
{
	unsigned char a[] = {1, 2, 3, 4}, b[4] = {9, 9, 9, 9};

	mem_copy(b + 1, a, 2);
	cr_expect_arr_eq(b, ((unsigned char[]){9, 1, 2, 9}), 4);
	mem_zero(b + 1, 2);
	cr_expect_arr_eq(b, ((unsigned char[]){9, 0, 0, 9}), 4);
	cr_expect(mem_equal(a, b, 0));
	cr_expect(mem_equal(a, a, 4));
	b[0] = 1;
	b[1] = 2;
	cr_expect(mem_equal(a, b, 2));
	cr_expect_not(mem_equal(a, b, 3));
}

/* proc_maps_read() moves a rest to the front with it. */
Test(str, memory_moves_down)
{
	char text[] = "....abcdef";

	mem_copy(text, text + 4, 7);
	cr_expect_str_eq(text, "abcdef");
}
