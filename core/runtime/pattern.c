/* Context: T.  Lists of program names, as exclude= and only= take them. */
#include "pattern.h"

/* `*` and `?`; ':' ends a pattern of a list. */
static bool
matches(const char *p, const char *name)
{
	while (*p != '\0' && *p != ':') {
		if (*p == '*') {
			for (p++; !matches(p, name); name++)
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
pattern_in_list(const char *list, const char *name)
{
	while (*list != '\0') {
		if (matches(list, name))
			return true;
		while (*list != '\0' && *list++ != ':')
			;
	}
	return false;
}
