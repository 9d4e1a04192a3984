/*
 * Context: O.  Parses command-line options by a table, for all tools but the
 * classic prof and proffs; see option.h.
 */
#include "common/option.h"

#include "base/edit_distance.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* most typing errors that a suggestion corrects */
#define OPTION_NEAR	2
/* a second error is corrected from so many letters on */
#define OPTION_LETTERS	4
#define OPTION_LONGEST	32

static size_t
smaller_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

const char *
option_nearest(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	const size_t bytes = strlen(word);
	size_t best = smaller_size(OPTION_NEAR, 1 + bytes / OPTION_LETTERS) + 1;

	best = smaller_size(best, bytes);

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

/*
 * Reports an unknown option with the nearest one.  given: as the user wrote it;
 * name: without its dashes and value.  Returns OPTION_USAGE.
 */
static int
reject_unknown_option(const struct option_parser *p, const char *given,
    const char *name)
{
	const char *names[64];
	const char *nearest;
	size_t count = 0;

	for (size_t i = 0; i < p->rows && count < 64; i++)
		if (p->table[i].name != NULL)
			names[count++] = p->table[i].name;
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
	fprintf(stderr, "%s: option %s needs a value: --%s=%.*s\n",
	    p->program, given, row->name, (int)strcspn(row->value, ";"),
	    row->value);
	return OPTION_USAGE;
}

static bool
is_optional(const struct option_row *row)
{
	return row->value[0] == '[';
}

/*
 * Hands a value to the handler.  No option has an empty one: it comes from a
 * shell variable that is not set.
 */
static int
handle_value(const struct option_parser *p, const char *given,
    const struct option_row *row, const char *value)
{
	if (*value != '\0')
		return p->take(p->arg, row->tag, value);
	fprintf(stderr, "%s: option %s has an empty value: use ", p->program,
	    given);
	if (is_optional(row))
		fprintf(stderr, "--%s or --%s=%.*s\n", row->name, row->name,
		    (int)strcspn(row->value + 1, "]"), row->value + 1);
	else
		fprintf(stderr, "--%s=%.*s\n", row->name,
		    (int)strcspn(row->value, ";"), row->value);
	return OPTION_USAGE;
}

/*
 * Returns the value that an option has as the last word or before another
 * option; NULL: it wants one.
 */
static const char *
value_if_last(const struct option_row *row)
{
	const char *at = strchr(row->value, ';');

	return at == NULL ? NULL : at + 1;
}

static bool
is_option_word(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
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

		if (row->name == NULL || strcmp(row->name, name) != 0)
			continue;
		if (row->value == NULL && equals != NULL) {
			fprintf(stderr, "%s: option --%s takes no value\n",
			    p->program, row->name);
			return OPTION_USAGE;
		}
		if (row->value == NULL)
			return p->take(p->arg, row->tag, NULL);
		if (equals != NULL)
			return handle_value(p, given, row, equals + 1);
		if (is_optional(row))
			return p->take(p->arg, row->tag, NULL);
		if ((argv[1] == NULL || is_option_word(argv[1])) &&
		    value_if_last(row) != NULL)
			return p->take(p->arg, row->tag, value_if_last(row));
		if (argv[1] == NULL)
			return reject_missing_value(p, given, row);
		*used = 1;
		return handle_value(p, given, row, argv[1]);
	}
	return reject_unknown_option(p, given, name);
}

/*
 * Parses a word of letters, such as -ckoFILE.  Sets *used to 1 if argv[1] is
 * the value of the last letter.
 */
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
		return handle_value(p, given, row, argv[1]);
	}
	return 0;
}

/* Parses the option at argv[*at], and moves *at behind it and its value. */
static int
parse_option_word(const struct option_parser *p, const char **argv, size_t *at)
{
	const char **word = argv + *at;
	size_t used = 0;
	const int ret = word[0][1] == '-' ? parse_long(p, word, &used) :
	    parse_letters(p, word, &used);

	*at += 1 + used;
	return ret;
}

int
option_parse(const char *program, const struct option_row *table, size_t rows,
    const char **argv, size_t *rest, option_handler *take, void *arg)
{
	const struct option_parser p = { program, table, rows, take, arg };
	size_t at = 0;
	int ret = 0;

	*rest = 0;
	while (ret == 0 && argv[at] != NULL && strcmp(argv[at], "--") != 0) {
		if (is_option_word(argv[at]))
			ret = parse_option_word(&p, argv, &at);
		else
			argv[(*rest)++] = argv[at++];
	}
	if (ret != 0)
		return ret;
	at += argv[at] != NULL;
	while (argv[at] != NULL)
		argv[(*rest)++] = argv[at++];
	return 0;
}

int
option_parse_leading(const char *program, const struct option_row *table,
    size_t rows, const char **argv, size_t *first, option_handler *take,
    void *arg)
{
	const struct option_parser p = { program, table, rows, take, arg };
	int ret = 0;

	*first = 0;
	while (ret == 0 && argv[*first] != NULL &&
	    is_option_word(argv[*first]) && strcmp(argv[*first], "--") != 0)
		ret = parse_option_word(&p, argv, first);
	if (ret == 0 && argv[*first] != NULL &&
	    strcmp(argv[*first], "--") == 0)
		++*first;
	return ret;
}

/* Formats an option for the help text: "--tree", "--top=N", "--heap[=WHAT]". */
static void
spell_option(const struct option_row *row, const char *letter, char *room,
    size_t bytes)
{
	const bool optional = row->value != NULL && is_optional(row);

	const char *value = row->value == NULL ? "" : row->value + optional;

	snprintf(room, bytes, "%s--%s%s%.*s", letter, row->name,
	    row->value == NULL ? "" : optional ? "[=" : "=",
	    (int)strcspn(value, ";"), value);
}

void
option_help(const struct option_row *table, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		char left[64], letter[] = "    ";

		if (table[i].name == NULL) {
			printf("\n%s\n", table[i].help);
			continue;
		}
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
