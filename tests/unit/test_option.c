/* Context: O.  Tests of cmd/common/option.c. */
#include "common/option.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

static const struct option_row table[] = {
	{ "flag", 'f', NULL, 1, "" },
	{ "value", 'v', "X", 2, "" },
	{ "stop", 0, NULL, 3, "" },
	{ "maybe", 0, "[Y]", 4, "" },
	{ "last", 0, "X;9", 5, "" },
};

static char log_[256];

static int
take(void *arg, int tag, const char *value)
{
	(void)arg;
	sprintf(log_ + strlen(log_), "%d=%s ", tag,
	    value != NULL ? value : "-");
	return tag == 3 ? 7 : 0;
}

static int
parse(size_t *rest, const char **argv)
{
	log_[0] = '\0';
	return option_parse("t", table, 5, argv, rest, take, NULL);
}

#define ARGS(...) ((const char *[]){ __VA_ARGS__, NULL })

Test(option, takes_every_form)
{
	const char **argv = ARGS("a", "--flag", "--value=1", "--value", "2",
	    "b", "-f", "-v3", "-v", "4", "-fv5", "-");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "1=- 2=1 2=2 1=- 2=3 2=4 1=- 2=5 ");
	cr_assert_eq(rest, 3);
	cr_expect_str_eq(argv[0], "a");
	cr_expect_str_eq(argv[1], "b");
	cr_expect_str_eq(argv[2], "-");
}

/* The next argument is not the option's value. */
Test(option, takes_a_value_or_none)
{
	const char **argv = ARGS("--maybe", "a", "--maybe=b");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "4=- 4=b ");
	cr_assert_eq(rest, 1);
	cr_expect_str_eq(argv[0], "a");
}

Test(option, help_shows_how_it_is_written, .init = cr_redirect_stdout)
{
	option_help(table, 5);
	fflush(stdout);
	cr_assert_stdout_eq_str("  -f, --flag               \n"
	    "  -v, --value=X            \n"
	    "      --stop               \n"
	    "      --maybe[=Y]          \n"
	    "      --last=X             \n");
}

Test(option, ends_at_two_dashes)
{
	const char **argv = ARGS("-f", "--", "--flag", "-v");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "1=- ");
	cr_assert_eq(rest, 2);
	cr_expect_str_eq(argv[0], "--flag");
}

Test(option, stops_when_told)
{
	size_t rest;

	cr_expect_eq(parse(&rest, ARGS("--stop", "--none")), 7);
}

static void
refuses(const char **argv, const char *line)
{
	size_t rest;

	cr_redirect_stderr();
	cr_expect_eq(parse(&rest, argv), OPTION_USAGE);
	fflush(stderr);
	cr_expect_stderr_eq_str(line);
}

Test(option, names_the_unknown_and_hints)
{
	refuses(ARGS("--flga"),
	    "t: unknown option --flga; did you mean --flag?\n");
}

Test(option, names_the_unknown_without_a_hint)
{
	refuses(ARGS("--nothing-like-it=2"),
	    "t: unknown option --nothing-like-it=2; t --help lists them\n");
}

/* To a letter, every word of two is near. */
Test(option, hints_nothing_that_shares_no_letter)
{
	static const char *const words[] = { "by" };

	cr_expect_null(option_nearest("x", words, 1));
	cr_expect_str_eq(option_nearest("bx", words, 1), "by");
}

/* Two errors in three letters make a word of another meaning. */
Test(option, hints_nothing_for_a_short_word)
{
	static const char *const words[] = { "top", "sort" };

	cr_expect_null(option_nearest("foo", words, 2));
	cr_expect_null(option_nearest("set", words, 2));
	cr_expect_str_eq(option_nearest("tp", words, 2), "top");
	cr_expect_str_eq(option_nearest("srot", words, 2), "sort");
}

Test(option, names_an_unknown_letter)
{
	refuses(ARGS("-fx"), "t: unknown option -x; t --help lists them\n");
}

Test(option, has_a_value_as_the_last_word)
{
	const char **argv = ARGS("--last", "1", "--last=2", "--last");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "5=1 5=2 5=9 ");
	cr_assert_eq(rest, 0);
}

Test(option, refuses_an_empty_value)
{
	refuses(ARGS("--value="), "t: option --value= has an empty value: use "
	    "--value=X\n");
}

Test(option, refuses_an_empty_word_as_the_value_of_a_letter)
{
	refuses(ARGS("-v", ""), "t: option -v has an empty value: use "
	    "--value=X\n");
}

Test(option, refuses_an_empty_value_of_those_that_need_none)
{
	refuses(ARGS("--maybe="), "t: option --maybe= has an empty value: use "
	    "--maybe or --maybe=Y\n");
}

Test(option, refuses_an_empty_value_instead_of_the_last_word)
{
	refuses(ARGS("--last="), "t: option --last= has an empty value: use "
	    "--last=X\n");
}

Test(option, asks_for_a_missing_value)
{
	refuses(ARGS("--value"), "t: option --value needs a value: "
	    "--value=X\n");
}

Test(option, refuses_a_value_for_a_flag)
{
	refuses(ARGS("--flag=1"), "t: option --flag takes no value\n");
}

/* A command that follows the options keeps its own. */
Test(option, stops_at_a_command)
{
	const char **argv = ARGS("-f", "--value", "1", "cmd", "-f", "--", "x");
	const char **marked = ARGS("-f", "--", "-cmd");
	const char **none = ARGS("-f");
	size_t first;

	log_[0] = '\0';
	cr_assert_eq(option_parse_leading("t", table, 5, argv, &first, take,
	    NULL), 0);
	cr_expect_str_eq(log_, "1=- 2=1 ");
	cr_expect_str_eq(argv[first], "cmd");
	cr_expect_str_eq(argv[first + 1], "-f");
	cr_assert_eq(option_parse_leading("t", table, 5, marked, &first, take,
	    NULL), 0);
	cr_expect_str_eq(marked[first], "-cmd");
	cr_assert_eq(option_parse_leading("t", table, 5, none, &first, take,
	    NULL), 0);
	cr_expect_null(none[first]);
}
