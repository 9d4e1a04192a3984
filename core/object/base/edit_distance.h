/*
 * Context: O.  Says how far a word is from another one, to suggest what a user
 * may have meant: options and commands (cmd), functions (names/name_nearest.c).
 */
#ifndef EDIT_DISTANCE_H
#define EDIT_DISTANCE_H

#include <stddef.h>

/* Longest word that is compared, in bytes. */
#define EDIT_DISTANCE_LONGEST	64

/*
 * Returns how many bytes are to be added, removed or changed to make one word
 * of the other (Levenshtein); EDIT_DISTANCE_LONGEST if one of them is longer
 * than that.
 */
size_t edit_distance(const char *a, const char *b);

#endif
