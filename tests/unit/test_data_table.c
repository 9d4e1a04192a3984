/* Context: O.  Tests of core/view/base/data_table.c. */
#include "base/data_table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t bytes;

/* A table of one text and one number; NULL = no line at all. */
static const char *
made(enum data_table_format form, const char *in)
{
	FILE *out = open_memstream(&text, &bytes);
	struct data_table s;

	data_table_init(&s, out, form);
	data_table_column(&s, "name");
	data_table_column(&s, "n");
	if (in != NULL) {
		data_table_text(&s, in);
		data_table_number(&s, "%d", 7);
	}
	data_table_end(&s);
	fclose(out);
	return text;
}

static void
teardown(void)
{
	free(text);
}

TestSuite(data_table, .fini = teardown);

Test(data_table, quotes_fields_as_rfc_4180)
{
	cr_expect_str_eq(made(DATA_TABLE_CSV, "main"), "name,n\nmain,7\n");
	cr_expect_str_eq(made(DATA_TABLE_CSV, ""), "name,n\n,7\n");
	cr_expect_str_eq(made(DATA_TABLE_CSV, "f<a, b>"),
	    "name,n\n\"f<a, b>\",7\n");
	cr_expect_str_eq(made(DATA_TABLE_CSV, "operator\"\""),
	    "name,n\n\"operator\"\"\"\"\",7\n");
	cr_expect_str_eq(made(DATA_TABLE_CSV, "a\nb"), "name,n\n\"a\nb\",7\n");
}

Test(data_table, escapes_texts_as_rfc_8259)
{
	cr_expect_str_eq(made(DATA_TABLE_JSON, "main"),
	    "[\n{\"name\":\"main\",\"n\":7}\n]\n");
	cr_expect_str_eq(made(DATA_TABLE_JSON, "a\"b\\c\n\x7f"),
	    "[\n{\"name\":\"a\\\"b\\\\c\\u000a\x7f\",\"n\":7}\n]\n");
	cr_expect_str_eq(made(DATA_TABLE_JSON, "</script>"),
	    "[\n{\"name\":\"\\u003c/script>\",\"n\":7}\n]\n");
	cr_expect_str_eq(made(DATA_TABLE_JSON, "\xc3\xa9\xe2\x82\xac"),
	    "[\n{\"name\":\"\xc3\xa9\xe2\x82\xac\",\"n\":7}\n]\n");
	cr_expect_str_eq(made(DATA_TABLE_JSON, "x\xff\xc3y"),
	    "[\n{\"name\":\"x\\ufffd\\ufffdy\",\"n\":7}\n]\n");
}

Test(data_table, of_no_lines_is_a_table_still)
{
	cr_expect_str_eq(made(DATA_TABLE_CSV, NULL), "name,n\n");
	cr_expect_str_eq(made(DATA_TABLE_JSON, NULL), "[\n]\n");
}

Test(data_table, has_lines_of_some_fields)
{
	static const enum data_table_format forms[] = { DATA_TABLE_CSV,
	    DATA_TABLE_JSON };
	static const char *const wants[] = {
		"a,b\n1,\n,\n",
		"[\n{\"a\":1,\"b\":null},\n{\"a\":null,\"b\":null}\n]\n",
	};

	for (unsigned i = 0; i < 2; i++) {
		FILE *out = open_memstream(&text, &bytes);
		struct data_table s;

		data_table_init(&s, out, forms[i]);
		data_table_column(&s, "a");
		data_table_column(&s, "b");
		data_table_number(&s, "%d", 1);
		for (unsigned k = 0; k < 3; k++)
			data_table_text(&s, NULL);
		data_table_end(&s);
		fclose(out);
		cr_expect_str_eq(text, wants[i]);
		if (i == 0)
			free(text);
	}
}
