/*
 * Context: T.  Holds the keys of PROFOPTS, and parses its text, for options.c,
 * at the start of the library.
 */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include <linux/limits.h>

#define OPTION_TEXT_BYTES	256

/* The indexes of mode=. */
enum option_mode {
	OPTION_MODE_TIME,
	OPTION_MODE_HEAP,
	OPTION_MODE_BOTH,
};

/*
 * Values that options.c interprets; "" for a text that was not given.  All
 * other values are stored in `config`.  Each process reads the first byte of
 * each text: those lie close together, in one page.
 */
struct option_given {
	unsigned mode;		/* enum option_mode */
	char file[OPTION_TEXT_BYTES];
	char exclude[OPTION_TEXT_BYTES];
	char only[OPTION_TEXT_BYTES];
	char dir[PATH_MAX];
};

extern struct option_given option_given;

/*
 * Parses PROFOPTS: key=value,key=value.  A value ends at the comma.  Stores the
 * values, and reports unknown keys and invalid values on standard error, but
 * not in children of profiled processes.
 */
void option_table_parse(const char *text);

#endif
