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
	return option_parse("t", table, 4, argv, rest, take, NULL);
}

#define ARGS(...) ((const char *[]){ __VA_ARGS__, NULL })

Test(option, takes_every_form)
{
	const char **argv = ARGS("a", "--flag", "--value=1", "--value", "2",
	    "b", "-f", "-v3", "-v", "4", "-fv5", "--value=", "-");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "1=- 2=1 2=2 1=- 2=3 2=4 1=- 2=5 2= ");
	cr_assert_eq(rest, 3);
	cr_expect_str_eq(argv[0], "a");
	cr_expect_str_eq(argv[1], "b");
	cr_expect_str_eq(argv[2], "-");
}

/* The next argument is not the option's value. */
Test(option, takes_a_value_or_none)
{
	const char **argv = ARGS("--maybe", "a", "--maybe=b", "--maybe=");
	size_t rest;

	cr_assert_eq(parse(&rest, argv), 0);
	cr_expect_str_eq(log_, "4=- 4=b 4= ");
	cr_assert_eq(rest, 1);
	cr_expect_str_eq(argv[0], "a");
}

Test(option, help_shows_how_it_is_written, .init = cr_redirect_stdout)
{
	option_help(table, 4);
	fflush(stdout);
	cr_assert_stdout_eq_str("  -f, --flag               \n"
	    "  -v, --value=X            \n"
	    "      --stop               \n"
	    "      --maybe[=Y]          \n");
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

Test(option, names_an_unknown_letter)
{
	refuses(ARGS("-fx"), "t: unknown option -x; t --help lists them\n");
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
