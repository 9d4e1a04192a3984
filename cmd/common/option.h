/* Context: O.  Command-line options from a table. */
#ifndef OPTION_H
#define OPTION_H

#include <stddef.h>

struct option_row {
	const char *name;	/* long, without "--" */
	char letter;		/* 0 = none */
	const char *value;	/* what it takes; NULL = a flag; "[X]": it
				   may do without, and has one behind a =
				   alone */
	int tag;
	const char *help;
};

/* Called for each option; a non-zero return ends the parsing with it. */
typedef int option_handler(void *arg, int tag, const char *value);

/*
 * Move what is no option to the front of argv.  0, what `take` returned, or
 * OPTION_USAGE after a line on stderr.  *rest is how many are left.
 */
#define OPTION_USAGE (-1)
int option_parse(const char *program, const struct option_row *table,
    size_t rows, const char **argv, size_t *rest, option_handler *take,
    void *arg);

void option_help(const struct option_row *table, size_t rows);

/* The nearest of `count` words, NULL when none is near. */
const char *option_nearest(const char *word, const char *const *words,
    size_t count);

#endif
