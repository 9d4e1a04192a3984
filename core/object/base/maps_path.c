/*
 * Context: O.  Converts between the path of a file and the path in a memory
 * map, for core/object, the model and the sampler; see maps_path.h.
 */
#include "base/maps_path.h"

#include <stdio.h>
#include <string.h>

#define MAPS_PATH_NEWLINE "\\012"

/*
 * Replaces every "\012" by a newline; returns whether there was one.  A path
 * that has both real and replaced ones is not handled.
 */
static bool
maps_path_unescape(char *path)
{
	const size_t bytes = sizeof(MAPS_PATH_NEWLINE) - 1;
	char *at = strstr(path, MAPS_PATH_NEWLINE);
	bool some = at != NULL;

	for (; at != NULL; at = strstr(at, MAPS_PATH_NEWLINE)) {
		*at++ = '\n';
		memmove(at, at + bytes - 1, strlen(at + bytes - 1) + 1);
	}
	return some;
}

bool
maps_path_candidate(char *room, size_t bytes, const char *root,
    const char *path, unsigned which)
{
	int n = snprintf(room, bytes, "%s%s%s", root, path,
	    (which & 2) != 0 ? " (deleted)" : "");

	if (n < 0 || (size_t)n >= bytes)
		return false;
	return (which & 1) == 0 || maps_path_unescape(room);
}

bool
maps_path_escape(char *room, size_t bytes, const char *path)
{
	size_t used = 0;

	for (; *path != '\0'; path++) {
		const bool escaped = *path == '\n';
		const size_t own = escaped ? sizeof(MAPS_PATH_NEWLINE) - 1 : 1;

		if (bytes - used <= own)
			return false;
		memcpy(room + used, escaped ? MAPS_PATH_NEWLINE : path, own);
		used += own;
	}
	room[used] = '\0';
	return true;
}
