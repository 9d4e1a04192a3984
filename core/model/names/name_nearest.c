/*
 * Context: O.  Finds the nearest name of a function, for a message of prof; see
 * name_nearest.h.
 */
#include "names/name_nearest.h"

#include "base/edit_distance.h"

#include <ctype.h>
#include <string.h>

#define LEAST_COMMON	4u	/* letters that two names have in common */

/*
 * Stores the last component of a name in small letters, without the parameters
 * of templates and functions, cut to room - 1 bytes: "main" of
 * "Ab::Main<int>(char)".
 */
static void
last_component(const char *name, char *to, size_t room)
{
	size_t bytes = strcspn(name, "<("), first = bytes;

	while (first > 0 && strchr(": /*.", name[first - 1]) == NULL)
		first--;
	bytes -= first;
	if (bytes >= room)
		bytes = room - 1;
	for (size_t i = 0; i < bytes; i++)
		to[i] = (char)tolower((unsigned char)name[first + i]);
	to[bytes] = '\0';
}

/* Returns the length of the longest text that is in both. */
static size_t
common_part(const char *a, const char *b)
{
	size_t best = 0;

	for (size_t i = 0; a[i] != '\0'; i++)
		for (size_t j = 0; b[j] != '\0'; j++) {
			size_t n = 0;

			while (a[i + n] != '\0' && a[i + n] == b[j + n])
				n++;
			if (n > best)
				best = n;
		}
	return best;
}

size_t
name_nearest_distance(const char *typed, const char *name)
{
	char want[EDIT_DISTANCE_LONGEST], own[EDIT_DISTANCE_LONGEST];
	size_t typing, common, longest;

	last_component(typed, want, sizeof(want));
	last_component(name, own, sizeof(own));
	if (*want == '\0' || *own == '\0')
		return NAME_NEAREST_FAR;
	longest = strlen(want);
	typing = edit_distance(want, own);
	if (typing <= longest / 4 + (longest > 2))
		return typing;
	common = common_part(want, own);
	/* Half of what was typed is something that the name has, too. */
	return common >= LEAST_COMMON && 2 * common >= longest ?
	    longest + typing - common : NAME_NEAREST_FAR;
}

const char *
name_nearest_function(struct model *m, const char *typed)
{
	size_t best = NAME_NEAREST_FAR;
	const char *nearest = NULL;

	for (size_t i = 0; i < m->function_count; i++) {
		const char *name = model_function_name(m, (uint32_t)i);
		const size_t own = name[0] == '[' ? NAME_NEAREST_FAR :
		    name_nearest_distance(typed, name);

		if (own < best) {
			best = own;
			nearest = name;
		}
	}
	return nearest;
}
