/* Context: O.  Tests of cmd/prof/prof_options.c: words that prof refuses. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_refusals, .init = command_init, .fini = compile_fini);

Test(prof_refusals, tells_wrong_use_from_wrong_data)
{
	cr_expect_eq(prof("--no-such-thing"), 2);
	cr_expect_not_null(strstr(err, "--no-such-thing"));
	cr_expect_eq(prof("--by=nothing"), 2);
	cr_expect_eq(prof("--sort=nothing"), 2);
	cr_expect_eq(prof("--top=x"), 2);
	cr_expect_eq(prof("--top=-1"), 2);
	cr_expect_eq(prof("--min=101"), 2);
	cr_expect_eq(prof("--min=nan"), 2);
	cr_expect_eq(prof("--check --info"), 2);
	cr_expect_eq(prof("--check --csv"), 2);
	cr_expect_eq(prof("--check --top=3"), 2);
	cr_expect_eq(prof("--info --pid=3"), 2);
	cr_expect_str_eq(err, "prof: --info goes with --csv, --json and "
	    "--output only\n");
	cr_expect_eq(prof(""), 1);
	cr_expect_not_null(strstr(err, "prof record"), "%s", err);
	cr_expect_eq(prof("none"), 1);
	cr_expect_eq(prof("''"), 1);
	cr_expect_eq(strncmp(err, "prof: \"\": cannot be opened: ", 28), 0);
	cr_expect_eq(prof("--help"), 0);
	cr_expect_not_null(strstr(out, "--by=WHAT"));
	cr_expect_eq(prof("--version"), 0);
	cr_expect_eq(strncmp(out, "prof (libmon) ", 14), 0);
}

/* One line says what is missing, or which value is empty. */
Test(prof_refusals, refuses_options_that_would_do_nothing)
{
	static const struct { const char *arguments, *line; } table[] = {
		{ "--all-lines", "--all-lines goes with --annotate=PATTERN" },
		{ "--all-lines --tree",
		    "--all-lines goes with --annotate=PATTERN" },
		{ "--explain --no-footer", "--verbose and --explain print "
		    "lines below a report: they do not go with --no-footer, "
		    "--csv, --json or --diff" },
		{ "--verbose --csv", "--verbose and --explain print lines "
		    "below a report: they do not go with --no-footer, --csv, "
		    "--json or --diff" },
		{ "--explain --diff=mon.out", "--verbose and --explain print "
		    "lines below a report: they do not go with --no-footer, "
		    "--csv, --json or --diff" },
		{ "--all-frames --write=folded", "--all-frames: files for "
		    "other tools always have all functions; of the formats of "
		    "--write, it goes with html only" },
		{ "--write=pprof -o x --all-frames", "--all-frames: files for "
		    "other tools always have all functions; of the formats of "
		    "--write, it goes with html only" },
		{ "--read=folded", "--read is the format of files that are "
		    "named: name one" },
		{ "--read=perf: mon.out", "--read=perf:: name the event "
		    "behind the colon, as in callgrind:Dr" },
		{ "--per=1", "--per, --fail-over and --markdown go with "
		    "--diff" },
		{ "--fail-over=1", "--per, --fail-over and --markdown go with "
		    "--diff" },
		{ "--markdown", "--per, --fail-over and --markdown go with "
		    "--diff" },
		{ "--by=module,", "--by=module,: use process, program, "
		    "thread, mode, module, file, function, line, address" },
	};
	char line[256];

	put("mon.out", 100, 1000);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		cr_expect_eq(prof(table[i].arguments), 2, "%s",
		    table[i].arguments);
		cr_expect_str_eq(out, "", "%s", table[i].arguments);
		snprintf(line, sizeof(line), "prof: %s\n", table[i].line);
		cr_expect_str_eq(err, line, "%s", table[i].arguments);
	}
}

Test(prof_refusals, refuses_empty_values)
{
	static const char *const options[] = {
		"by=WHAT,...", "module=PATTERN", "thread=PATTERN",
		"pid=PATTERN", "program=PATTERN", "function=PATTERN",
		"focus=PATTERN", "ignore=PATTERN", "top=N", "min=PERCENT",
		"sort=KEY", "annotate=PATTERN", "diff=OLD", "per=OLD,NEW",
		"fail-over=PERCENT", "output=FILE", "read=FORMAT",
		"write=FORMAT", "html=FILE", "debuginfod=SECONDS",
	};
	char arguments[64], line[128];

	put("mon.out", 100, 1000);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const int bytes = (int)strcspn(options[i], "=") + 1;

		snprintf(arguments, sizeof(arguments), "--%.*s", bytes,
		    options[i]);
		cr_expect_eq(prof(arguments), 2, "%s", arguments);
		snprintf(line, sizeof(line), "prof: option %s has an empty "
		    "value: use --%s\n", arguments, options[i]);
		cr_expect_str_eq(err, line, "%s", err);
	}
	cr_expect_eq(prof("--heap="), 2);
	cr_expect_str_eq(err, "prof: option --heap= has an empty value: use "
	    "--heap or --heap=WHAT\n");
	cr_expect_eq(prof("--mine="), 2);
	cr_expect_str_eq(err, "prof: option --mine= has an empty value: use "
	    "--mine or --mine=MODULE,...\n");
	cr_expect_eq(prof("-o ''"), 2);
	cr_expect_str_eq(err, "prof: option -o has an empty value: use "
	    "--output=FILE\n");
}
