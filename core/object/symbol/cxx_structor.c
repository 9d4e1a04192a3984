/*
 * Context: O.  Finds the variant of a constructor in a mangled name; see
 * cxx_structor.h.
 */
#include "symbol/cxx_structor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns the index behind an identifier with its length, which is at `at`. */
static size_t
skip_identifier(const char *name, size_t at)
{
	char *end;
	const unsigned long n = strtoul(name + at, &end, 10);

	return (size_t)(end - name) + strnlen(end, n);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Returns the index of the end of a literal, "E", whose type ends at `at` and
 * whose value follows; `at` if no value does.
 */
static size_t
skip_value(const char *name, size_t at)
{
	size_t end = at + (name[at] == 'n');

	while (is_digit(name[end]))
		end++;
	return name[end] == 'E' ? end : at;
}

/*
 * Returns the index behind the part of a mangled name at `at`, in which no
 * constructor can begin: an identifier, a substitution, a template parameter,
 * the size of an array or a vector, a literal; else that of the next character.
 */
static size_t
skip_part(const char *name, size_t at)
{
	const char c = name[at], next = c != '\0' ? name[at + 1] : '\0';

	if (is_digit(c) && c != '0')
		return skip_identifier(name, at);
	/* Without a value, "L" says that a name is of its file alone. */
	if (c == 'L' && is_digit(next))
		return skip_value(name, skip_identifier(name, at + 1));
	if (c == 'L' && next >= 'a' && next <= 'z')
		return at + strcspn(name + at, "E");
	if (c == 'A' || (c == 'D' && next != '\0' && strchr("vFB", next) !=
	    NULL) || ((c == 'T' || c == 'S') && (next == '_' ||
	    is_digit(next))))
		return at + strcspn(name + at, "_");
	return at + 1;
}

/*
 * Returns the index of the variant's digit, or 0.  A literal of a type that is
 * within another one, "LN", ends after as many "E" as parts were opened.
 */
size_t
cxx_structor_inlined(const char *name)
{
	size_t at = 2, depth = 0, literal = SIZE_MAX;

	if (strncmp(name, "_ZN", 3) != 0)
		return 0;
	while (name[at] != '\0' && name[at] != 'Z') {
		const char c = name[at];

		if ((c == 'C' || c == 'D') && name[at + 1] == '4')
			return at + 1;
		if (c == 'L' && name[at + 1] == 'N')
			literal = depth;
		if (c == 'N' || c == 'I' || c == 'J')
			depth++;
		if (c == 'E' && depth > 0 && --depth == literal) {
			at = skip_value(name, at + 1);
			literal = SIZE_MAX;
			continue;
		}
		at = skip_part(name, at);
	}
	return 0;
}
