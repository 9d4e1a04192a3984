/*
 * Context: O.  Holds and parses the options of prof record.  prof_record.c
 * parses them; the other files of cmd/record read them.
 */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include <stdbool.h>

/* The options.  Strings are borrowed from argv but for `options`. */
struct record_options {
	/* value of PROFOPTS for the command; allocated */
	char *options;
	const char *output;	/* file or directory; NULL: mon.out.d */
	const char *page;	/* file of --html; NULL: none */
	char **command;		/* the command and its arguments */
	bool heap;		/* allocations are counted */
	bool time;		/* CPU time is counted */
	bool wall;		/* the time that threads sleep is counted */
	bool library;		/* an option was given that libmon.so obeys */
	bool set_given;		/* --set was given */
	unsigned hz;		/* samples a second; 0: not given */
};

#define RECORD_OPTIONS_SHOWN 1	/* --help was printed */

/*
 * Parses the options in argv, which NULL ends, up to the first word that is
 * none, into *o.  Returns 0, RECORD_OPTIONS_SHOWN, or OPTION_USAGE after a line
 * on standard error.  The caller calls record_options_free() in any case.
 */
int record_options_parse(struct record_options *o, char **argv);

/* Frees what *o owns. */
void record_options_free(struct record_options *o);

#endif
