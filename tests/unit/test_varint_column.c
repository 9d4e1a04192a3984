/* Context: O.  Tests of core/export/html/varint_column.c. */
#include "html/varint_column.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Compares the column of the first `count` of those numbers; expected by
 * python's base64. */
static void
expect(const uint64_t *numbers, size_t count, const char *expected)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct varint_column c;

	varint_column_begin(&c, out, "n");
	for (size_t i = 0; i < count; i++)
		varint_column_put(&c, numbers[i]);
	varint_column_end(&c);
	fclose(out);
	cr_expect_str_eq(text, expected);
	free(text);
}

Test(varint_column, of_every_length_modulo_three)
{
	const uint64_t small[] = { 0, 1, 127, 64 };

	expect(small, 0, "\"n\":\"\"");
	expect(small, 1, "\"n\":\"AA==\"");
	expect(small, 2, "\"n\":\"AAE=\"");
	expect(small, 3, "\"n\":\"AAF/\"");
	expect(small, 4, "\"n\":\"AAF/QA==\"");
}

Test(varint_column, of_numbers_of_many_bytes)
{
	const uint64_t large[] = { 128, 300, UINT32_MAX, UINT64_MAX };

	expect(large, 1, "\"n\":\"gAE=\"");
	expect(large, 3, "\"n\":\"gAGsAv////8P\"");
	expect(&large[3], 1, "\"n\":\"////////////AQ==\"");
}
