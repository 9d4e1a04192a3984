/*
 * Context: O.  Compares words, for suggestions of prof, tprof and the model;
 * see edit_distance.h.
 */
#include "base/edit_distance.h"

#include <string.h>

static size_t
smaller_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes the Levenshtein distance, row by row. */
size_t
edit_distance(const char *a, const char *b)
{
	size_t row[EDIT_DISTANCE_LONGEST + 1];
	size_t bytes = strlen(b);

	if (bytes > EDIT_DISTANCE_LONGEST || strlen(a) > EDIT_DISTANCE_LONGEST)
		return EDIT_DISTANCE_LONGEST;
	for (size_t j = 0; j <= bytes; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < bytes; j++) {
			size_t change = corner + (a[i] != b[j]);

			corner = row[j + 1];
			row[j + 1] = smaller_size(change,
			    smaller_size(row[j], row[j + 1]) + 1);
		}
	}
	return row[bytes];
}
