/* Context: O.  Parses command-line options by a table; see option.h. */
#include "common/option.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* most typing errors that a suggestion corrects */
#define OPTION_NEAR	2
#define OPTION_LONGEST	32

static size_t
smaller_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes the Levenshtein distance, row by row. */
static size_t
edit_distance(const char *a, const char *b)
{
	size_t row[OPTION_LONGEST + 1];
	size_t bytes = strlen(b);

	if (bytes > OPTION_LONGEST || strlen(a) > OPTION_LONGEST)
		return OPTION_LONGEST;
	for (size_t j = 0; j <= bytes; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < bytes; j++) {
			size_t change = corner + (a[i] != b[j]);

			corner = row[j + 1];
			row[j + 1] = smaller_size(change,
			    smaller_size(row[j], row[j + 1]) + 1);
		}
	}
	return row[bytes];
}

const char *
option_nearest(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	size_t best = smaller_size(OPTION_NEAR + 1, strlen(word));

	for (size_t i = 0; i < count; i++) {
		size_t own = edit_distance(word, words[i]);

		if (own < best) {
			best = own;
			nearest = words[i];
		}
	}
	return nearest;
}

/* Arguments of option_parse(). */
struct option_parser {
	const char *program;
	const struct option_row *table;
	size_t rows;
	option_handler *take;
	void *arg;
};

static int
reject_unknown_option(const struct option_parser *p, const char *given,
    const char *name)
{
	const char *names[64];
	const char *nearest;
	size_t count = smaller_size(p->rows, 64);

	for (size_t i = 0; i < count; i++)
		names[i] = p->table[i].name;
	nearest = option_nearest(name, names, count);
	fprintf(stderr, "%s: unknown option %s", p->program, given);
	if (nearest != NULL)
		fprintf(stderr, "; did you mean --%s?\n", nearest);
	else
		fprintf(stderr, "; %s --help lists them\n", p->program);
	return OPTION_USAGE;
}

static int
reject_missing_value(const struct option_parser *p, const char *given,
    const struct option_row *row)
{
	fprintf(stderr, "%s: option %s needs a value: --%s=%s\n", p->program,
	    given, row->name, row->value);
	return OPTION_USAGE;
}

static bool
is_optional(const struct option_row *row)
{
	return row->value[0] == '[';
}

/* Parses a long option.  Sets *used to 1 if argv[1] is the value of argv[0]. */
static int
parse_long(const struct option_parser *p, const char **argv, size_t *used)
{
	char name[OPTION_LONGEST + 1] = "";
	const char *given = argv[0], *equals = strchr(given, '=');
	size_t bytes = strcspn(given + 2, "=");

	memcpy(name, given + 2, smaller_size(bytes, OPTION_LONGEST));
	for (size_t i = 0; i < p->rows; i++) {
		const struct option_row *row = &p->table[i];

		if (strcmp(row->name, name) != 0)
			continue;
		if (row->value == NULL && equals != NULL) {
			fprintf(stderr, "%s: option --%s takes no value\n",
			    p->program, row->name);
			return OPTION_USAGE;
		}
		if (row->value == NULL)
			return p->take(p->arg, row->tag, NULL);
		if (equals != NULL)
			return p->take(p->arg, row->tag, equals + 1);
		if (is_optional(row))
			return p->take(p->arg, row->tag, NULL);
		if (argv[1] == NULL)
			return reject_missing_value(p, given, row);
		*used = 1;
		return p->take(p->arg, row->tag, argv[1]);
	}
	return reject_unknown_option(p, given, name);
}

static int
parse_letters(const struct option_parser *p, const char **argv, size_t *used)
{
	for (const char *at = argv[0] + 1; *at != '\0'; at++) {
		const struct option_row *row = NULL;
		char given[] = { '-', *at, '\0' };
		int ret;

		for (size_t i = 0; i < p->rows && row == NULL; i++)
			if (p->table[i].letter == *at)
				row = &p->table[i];
		if (row == NULL)
			return reject_unknown_option(p, given, given + 1);
		if (row->value == NULL) {
			ret = p->take(p->arg, row->tag, NULL);
			if (ret != 0)
				return ret;
			continue;
		}
		if (at[1] != '\0')
			return p->take(p->arg, row->tag, at + 1);
		if (argv[1] == NULL)
			return reject_missing_value(p, given, row);
		*used = 1;
		return p->take(p->arg, row->tag, argv[1]);
	}
	return 0;
}

int
option_parse(const char *program, const struct option_row *table, size_t rows,
    const char **argv, size_t *rest, option_handler *take, void *arg)
{
	struct option_parser p = { program, table, rows, take, arg };
	size_t at = 0;

	*rest = 0;
	while (argv[at] != NULL) {
		size_t used = 0;
		int ret = 0;

		if (strcmp(argv[at], "--") == 0) {
			at++;
			break;
		}
		if (argv[at][0] != '-' || argv[at][1] == '\0')
			argv[(*rest)++] = argv[at];
		else if (argv[at][1] == '-')
			ret = parse_long(&p, argv + at, &used);
		else
			ret = parse_letters(&p, argv + at, &used);
		if (ret != 0)
			return ret;
		at += 1 + used;
	}
	while (argv[at] != NULL)
		argv[(*rest)++] = argv[at++];
	return 0;
}

/* Formats an option for the help text: "--tree", "--top=N", "--heap[=WHAT]". */
static void
spell_option(const struct option_row *row, const char *letter, char *room,
    size_t bytes)
{
	const bool optional = row->value != NULL && is_optional(row);

	snprintf(room, bytes, "%s--%s%s%s", letter, row->name,
	    row->value == NULL ? "" : optional ? "[=" : "=",
	    row->value == NULL ? "" : row->value + optional);
}

void
option_help(const struct option_row *table, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		char left[64], letter[] = "    ";

		if (table[i].letter != 0)
			snprintf(letter, sizeof(letter), "-%c, ",
			    table[i].letter);
		spell_option(&table[i], letter, left, sizeof(left));
		printf("  %-24s ", left);
		for (const char *at = table[i].help; *at != '\0'; at++) {
			putchar(*at);
			if (*at == '\n')
				printf("%27s", "");
		}
		putchar('\n');
	}
}
