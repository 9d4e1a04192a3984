/*
 * Context: O.  Finds the variant of a constructor in a mangled name; see
 * cxx_structor.h.
 */
#include "symbol/cxx_structor.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns the index behind the part of a mangled name at `at`, in which no
 * constructor can begin: an identifier with its length, a substitution, a
 * template parameter, the size of an array, or a literal; else that of the next
 * character.
 */
static size_t
skip_part(const char *name, size_t at)
{
	const char c = name[at];
	size_t bytes = strlen(name + at);
	char *end;

	if (c >= '1' && c <= '9') {
		unsigned long n = strtoul(name + at, &end, 10);

		bytes = strlen(end);
		return (size_t)(end - name) + (n < bytes ? n : bytes);
	}
	/* "L" before a digit is no literal, but a name of this file alone. */
	if (c == 'L' && name[at + 1] >= 'a' && name[at + 1] <= 'z')
		return at + strcspn(name + at, "E");
	if (c == 'A' || (c == 'T' && strchr("_0123456789", name[at + 1]) !=
	    NULL) || (c == 'S' && strchr("_0123456789", name[at + 1]) != NULL))
		return at + strcspn(name + at, "_");
	return at + 1;
}

size_t
cxx_structor_inlined(const char *name)
{
	size_t at = 2;

	if (strncmp(name, "_ZN", 3) != 0)
		return 0;
	while (name[at] != '\0') {
		if ((name[at] == 'C' || name[at] == 'D') &&
		    name[at + 1] == '4')
			return at + 1;
		at = skip_part(name, at);
	}
	return 0;
}
