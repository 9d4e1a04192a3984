/* Context: O.  What a file may be called that a memory map shows as a path. */
#include "spelling.h"

#include <stdio.h>
#include <string.h>

#define SPELLING_NEWLINE "\\012"

/* All of them: a name that has both is not met. */
static bool
spelling_unescape(char *path)
{
	const size_t bytes = sizeof(SPELLING_NEWLINE) - 1;
	char *at = strstr(path, SPELLING_NEWLINE);
	bool some = at != NULL;

	for (; at != NULL; at = strstr(at, SPELLING_NEWLINE)) {
		*at++ = '\n';
		memmove(at, at + bytes - 1, strlen(at + bytes - 1) + 1);
	}
	return some;
}

bool
spelling_make(char *room, size_t bytes, const char *root, const char *path,
    unsigned which)
{
	int n = snprintf(room, bytes, "%s%s%s", root, path,
	    (which & 2) != 0 ? " (deleted)" : "");

	if (n < 0 || (size_t)n >= bytes)
		return false;
	return (which & 1) == 0 || spelling_unescape(room);
}

bool
spelling_show(char *room, size_t bytes, const char *path)
{
	size_t used = 0;

	for (; *path != '\0'; path++) {
		const bool escaped = *path == '\n';
		const size_t own = escaped ? sizeof(SPELLING_NEWLINE) - 1 : 1;

		if (bytes - used <= own)
			return false;
		memcpy(room + used, escaped ? SPELLING_NEWLINE : path, own);
		used += own;
	}
	room[used] = '\0';
	return true;
}
