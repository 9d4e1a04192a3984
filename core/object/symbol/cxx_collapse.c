/*
 * Context: O.  Leaves out template arguments of a name that does not fit, for
 * the lines of core/view; see cxx_collapse.h.
 */
#include "symbol/cxx_collapse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Levels of brackets that are told apart. */
#define LEVELS	16

/*
 * Returns the length of text at `at` in which brackets are none: the name of an
 * operator, an arrow, or the name of a lambda.  `open`: the last '<' behind
 * "operator" begins its arguments, as in "operator<<int>".
 */
static size_t
plain_bytes(const char *name, const char *at, bool open)
{
	static const char lambda[] = "<lambda";
	size_t sign;

	if (strncmp(at, "operator", 8) == 0 && (at == name || at[-1] == ':' ||
	    at[-1] == ' ')) {
		sign = strspn(at + 8, "<>=-");
		return 8 + sign - (open && sign > 1 && at[7 + sign] == '<');
	}
	if (strncmp(at, "->", 2) == 0)
		return 2;
	return strncmp(at, lambda, strlen(lambda)) == 0 &&
	    strchr(at, '>') != NULL ? (size_t)(strchr(at, '>') - at) + 1 : 0;
}

/*
 * Writes the name to `to`, which has room for all of it, with "..." in place of
 * arguments deeper than `most` levels; `open` as above.  Returns how deep
 * arguments are; -1 if brackets do not match.
 */
static int
collapse_below(const char *name, int most, bool open, char *to)
{
	int level = 0, deepest = 0;

	for (const char *at = name; *at != '\0';) {
		const size_t plain = plain_bytes(name, at, open);
		const size_t bytes = plain != 0 ? plain : 1;

		if (plain == 0 && *at == '>' && --level < 0)
			return -1;
		if (level <= most) {
			memcpy(to, at, bytes);
			to += bytes;
		}
		if (plain == 0 && *at == '<' && ++level > deepest)
			deepest = level;
		if (plain == 0 && *at == '<' && level == most + 1) {
			memcpy(to, "...", 3);
			to += 3;
		}
		at += bytes;
	}
	*to = '\0';
	return level == 0 ? deepest : -1;
}

char *
cxx_collapse(const char *name, size_t bytes)
{
	/* "<>" becomes longer; no name has more of them than half its bytes. */
	char *to = malloc(strlen(name) * 3 + 4);
	int deepest = to == NULL ? 0 : collapse_below(name, LEVELS, false, to);
	const bool open = deepest < 0;

	if (open)
		deepest = collapse_below(name, LEVELS, true, to);
	if (deepest <= 0) {
		free(to);
		return NULL;
	}
	for (int most = deepest < LEVELS ? deepest : LEVELS; most-- > 0;) {
		collapse_below(name, most, open, to);
		if (strlen(to) <= bytes)
			break;
	}
	return to;
}
