/*
 * Context: O.  Runs prof doctor for main() of prof, before prof reads any
 * option or file: parses its words, and has the checks of doctor_record.c and
 * doctor_system.c made and printed.
 */
#include "doctor/doctor.h"

#include "common/option.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

enum { DOCTOR_EXIT_GOOD = 0, DOCTOR_EXIT_DATA = 1, DOCTOR_EXIT_WRONG_USE = 2 };

#define DOCTOR_PROGRAM	"prof doctor"
#define DOCTOR_SHOWN	1	/* --help was printed */

static const struct option_row table[] = {
	{"help", 'h', NULL, 0, "print this text"},
};

/*
 * Makes all checks, and prints them and their sum on standard output.  Returns
 * the exit status: DOCTOR_EXIT_DATA if programs cannot be recorded or the
 * output cannot be written.  No check of doctor_check_system() changes it.
 */
static int
examine(void)
{
	const enum doctor_state state = doctor_check_record(stdout);
	int wrong;

	doctor_check_system(stdout);
	puts(state == DOCTOR_BAD ? "\nPrograms cannot be recorded here." :
	    "\nPrograms can be recorded: prof record COMMAND");
	wrong = output_flush(stdout);
	if (wrong != 0) {
		fprintf(stderr, "prof: standard output: %s\n",
		    strerror(wrong));
		return DOCTOR_EXIT_DATA;
	}
	return state == DOCTOR_BAD ? DOCTOR_EXIT_DATA : DOCTOR_EXIT_GOOD;
}

/* Prints the help: --help is the only option.  Returns DOCTOR_SHOWN. */
static int
handle_doctor_option(void *arg, int tag, const char *value)
{
	(void)arg;
	(void)tag;
	(void)value;
	puts("usage: " DOCTOR_PROGRAM "\n"
	    "Says what of libmon works for this user, and what to do about the "
	    "rest.\n"
	    "The exit status is 0 if programs can be recorded, 1 if not.\n");
	option_help(table, sizeof(table) / sizeof(table[0]));
	puts("\nSee prof-doctor(1).");
	return DOCTOR_SHOWN;
}

int
doctor_run(char **argv)
{
	size_t rest;
	const int ret = option_parse(DOCTOR_PROGRAM, table,
	    sizeof(table) / sizeof(table[0]), (const char **)argv, &rest,
	    handle_doctor_option, NULL);

	if (ret == DOCTOR_SHOWN)
		return fflush(stdout) == 0 ? DOCTOR_EXIT_GOOD :
		    DOCTOR_EXIT_DATA;
	if (ret == 0 && rest == 0)
		return examine();
	if (ret == 0)
		fprintf(stderr, DOCTOR_PROGRAM ": %s: it takes no file or "
		    "command; use " DOCTOR_PROGRAM " alone\n", argv[0]);
	return DOCTOR_EXIT_WRONG_USE;
}
