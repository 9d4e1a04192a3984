/*
 * Context: O.  Converts the path of a file to the one that /proc/PID/maps
 * shows, and back.  On the way back the map can mean several paths, of which it
 * makes one at a time.  For core/object, the model and the sampler, which look
 * for the file of a mapping; see maps_path.h.
 */
#include "base/maps_path.h"

#include <stdio.h>
#include <string.h>

#define MAPS_PATH_NEWLINE "\\012"

/*
 * Replaces every "\012" by a newline; returns whether there was one.  So a file
 * is not found if its path has a newline and also the four characters "\012".
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

/*
 * Makes a candidate.  Bit 0 of `which`: each "\012" is a newline, in `root`
 * too, and there is no candidate without one; bit 1: " (deleted)", which the
 * reader of the map took for a mark and cut off, belongs to the name.
 */
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

/* Writes the path with each newline as "\012". */
bool
maps_path_escape(char *room, size_t bytes, const char *path)
{
	size_t used = 0;

	for (; *path != '\0'; path++) {
		const bool escaped = *path == '\n';
		const size_t length = escaped ? sizeof(MAPS_PATH_NEWLINE) - 1 :
		    1;

		if (bytes - used <= length)
			return false;
		memcpy(room + used, escaped ? MAPS_PATH_NEWLINE : path, length);
		used += length;
	}
	room[used] = '\0';
	return true;
}
