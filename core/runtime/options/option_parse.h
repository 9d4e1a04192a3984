/*
 * Context: T.  Parses the value of one option of PROFOPTS, for option_table.c,
 * at the start of the library.  There is one parser for each kind of value.
 */
#ifndef OPTION_PARSE_H
#define OPTION_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* The kinds of values, and the type of the variable that takes one. */
enum option_kind {
	OPTION_SWITCH,		/* one of two names; bool */
	OPTION_KEYWORD,		/* one of the names; unsigned: its index */
	/* a name, which stands for its index, or a decimal number; unsigned */
	OPTION_NUMBER,
	OPTION_SIZE,		/* bytes, with k, m or g behind; uint64_t */
	OPTION_TEXT,		/* any text that is not empty; char[] */
	OPTION_PATTERN,		/* a pattern of file names, mon(7); char[] */
	OPTION_HEAP,		/* what heap= counts; fields of `config` */
	OPTION_SIGNAL,		/* a signal for ticks; int */
};

/* An option: one row of the table in option_table.c. */
struct option {
	const char *key;
	enum option_kind kind;
	void *place;		/* the variable that takes the value */
	const char *const *names;	/* NULL-ended, or NULL: no names */
	/* range of a number or size; most: bytes of the variable of a text */
	uint64_t least, most;
	const char *wanted;	/* text for users: the values that are valid */
};

/*
 * Parses the value and stores it.  Returns false, and mostly stores nothing, if
 * the value is not valid; an invalid value of OPTION_HEAP leaves part of it.
 */
bool option_parse_value(const struct option *o, const char *value);

#endif
