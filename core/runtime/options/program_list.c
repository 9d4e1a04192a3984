/*
 * Context: T.  Matches program names with the lists of exclude= and only=, for
 * options.c.
 */
#include "options/program_list.h"

/*
 * Returns whether the pattern at p, which a ':' or the end of the list ends,
 * matches the whole name.
 */
static bool
matches_program(const char *p, const char *name)
{
	while (*p != '\0' && *p != ':') {
		if (*p == '*') {
			for (p++; !matches_program(p, name); name++)
				if (*name == '\0')
					return false;
			return true;
		}
		if (*name == '\0' || (*p != '?' && *p != *name))
			return false;
		p++;
		name++;
	}
	return *name == '\0';
}

bool
program_list_matches(const char *list, const char *name)
{
	while (*list != '\0') {
		if (matches_program(list, name))
			return true;
		while (*list != '\0' && *list++ != ':')
			;
	}
	return false;
}
