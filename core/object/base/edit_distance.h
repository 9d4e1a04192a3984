/*
 * Context: O.  Says how far a word is from another one, to suggest what a user
 * may have meant.
 */
#ifndef EDIT_DISTANCE_H
#define EDIT_DISTANCE_H

#include <stddef.h>

/* Longest word that is compared. */
#define EDIT_DISTANCE_LONGEST	64

/*
 * Returns how many characters are to be added, removed or changed to make one
 * word of the other (Levenshtein); EDIT_DISTANCE_LONGEST for longer words.
 */
size_t edit_distance(const char *a, const char *b);

#endif
