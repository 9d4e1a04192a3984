/*
 * Context: O.  Runs prof --scan for main() of prof: parses its words, and has
 * each file scanned and printed.
 */
#include "scan/scan.h"

#include "common/option.h"
#include "common/print_fault.h"
#include "output.h"
#include "scan/scan_print.h"

#include <stdio.h>
#include <string.h>

enum { SCAN_EXIT_GOOD = 0, SCAN_EXIT_DATA = 1, SCAN_EXIT_WRONG_USE = 2 };
enum { SCAN_HELP, SCAN_VERBOSE };

#define SCAN_PROGRAM	"prof --scan"
#define SCAN_SHOWN	1	/* --help was printed */

static const struct option_row table[] = {
	{"verbose", 0, NULL, SCAN_VERBOSE,
	    "also how functions are counted, and each that is not"},
	{"help", 'h', NULL, SCAN_HELP, "print this text"},
};

static int
handle_scan_option(void *verbose, int tag, const char *value)
{
	(void)value;
	if (tag == SCAN_VERBOSE) {
		*(bool *)verbose = true;
		return 0;
	}
	puts("usage: " SCAN_PROGRAM " [--verbose] FILE...\n"
	    "Says of programs and libraries, without running them, how many of "
	    "their functions\n"
	    "exact call counts can count, and why not the others.\n");
	option_help(table, sizeof(table) / sizeof(table[0]));
	puts("\nSee prof(1).");
	return SCAN_SHOWN;
}

static void
print_uncounted(void *name, const struct unwind_function *f, enum entry_way why)
{
	scan_print_uncounted(name, f, why);
}

/* Scans the files and prints them, and their sum.  Returns the exit status. */
static int
scan_all(char **files, size_t count, bool verbose)
{
	struct scan_sums all = { 0 };
	int status = SCAN_EXIT_GOOD;
	size_t good = 0;

	for (size_t i = 0; i < count; i++) {
		struct scan_sums sums;
		struct fault f;

		if (scan_file(files[i], &sums, verbose ? print_uncounted : NULL,
		    files[i], &f) != 0) {
			print_fault(&f);
			status = SCAN_EXIT_DATA;
			continue;
		}
		scan_print(files[i], &sums, verbose);
		scan_sums_add(&all, &sums);
		good++;
	}
	if (good > 1)
		scan_print("all files", &all, verbose);
	return status;
}

int
scan_run(char **argv)
{
	bool verbose = false;
	size_t files;
	int wrong, ret = option_parse(SCAN_PROGRAM, table,
	    sizeof(table) / sizeof(table[0]), (const char **)argv, &files,
	    handle_scan_option, &verbose);

	if (ret == OPTION_USAGE)
		return SCAN_EXIT_WRONG_USE;
	if (ret == 0 && files == 0) {
		fprintf(stderr, SCAN_PROGRAM ": it needs a file: "
		    SCAN_PROGRAM " /usr/bin/python3\n");
		return SCAN_EXIT_WRONG_USE;
	}
	ret = ret == SCAN_SHOWN ? SCAN_EXIT_GOOD :
	    scan_all(argv, files, verbose);
	wrong = output_flush(stdout);
	if (wrong == 0)
		return ret;
	fprintf(stderr, "prof: standard output: %s\n", strerror(wrong));
	return SCAN_EXIT_DATA;
}
