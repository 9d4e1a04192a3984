/*
 * Context: O.  Parses command-line options by a table: those of prof, prof
 * record and prof doctor, of the commands of tprof, and of tpfmt.  Messages go
 * to standard error.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stddef.h>

/* An option that a command has, or a heading of the help. */
struct option_row {
	const char *name;	/* long name, without "--"; NULL: a heading */
	char letter;		/* letter; 0: none */
	/*
	 * name of its value; NULL: it takes none; "[X]": optional, behind '=';
	 * "X;Y": the value is Y if the option is the last word, or stands
	 * before another option
	 */
	const char *value;
	/* number for the handler */
	int tag;
	const char *help;
};

/*
 * Handles an option; value: NULL if it has none.  A result other than 0 ends
 * the parsing.
 */
typedef int option_handler(void *arg, int tag, const char *value);

/* Result of option_parse() and of handlers for wrong use. */
#define OPTION_USAGE (-1)

/*
 * Parses the options in argv, which NULL ends.  Calls `take` with `arg` for
 * each option, and moves the other words to the front of argv; *rest is their
 * number.  An empty value is refused.  Returns 0, what `take` returned, or
 * OPTION_USAGE after a line on standard error.
 */
int option_parse(const char *program, const struct option_row *table,
    size_t rows, const char **argv, size_t *rest, option_handler *take,
    void *arg);

/*
 * Parses the options that precede a command with options of its own: stops at
 * the first other word, or behind "--", and stores its index in *first.  The
 * rest is as for option_parse().
 */
int option_parse_leading(const char *program, const struct option_row *table,
    size_t rows, const char **argv, size_t *first, option_handler *take,
    void *arg);

/*
 * Prints a line or more for each option, and an empty line before a heading,
 * which is the help of its row.
 */
void option_help(const struct option_row *table, size_t rows);

/*
 * Returns the word among `count` words that is spelled most like `word`, with
 * at most two errors, one if it has less than four letters; NULL if none is.
 */
const char *option_nearest(const char *word, const char *const *words,
    size_t count);

#endif
