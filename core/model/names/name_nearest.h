/*
 * Context: O.  Finds the function whose name is nearest to one that a user
 * typed and that no function has.  prof proposes it in a message
 * (cmd/prof/report_missing.c).
 */
#ifndef NAME_NEAREST_H
#define NAME_NEAREST_H

#include "base/model.h"

/*
 * Returns the shown name of the function of the model that is nearest to
 * `typed`, by the last component of both; it lives as long as the model.  Call
 * it after symbolize_all(); it only demangles and reads no file.  Functions
 * whose name begins with '[' are not tried.  Returns NULL if none is near.
 */
const char *name_nearest_function(struct model *m, const char *typed);

/*
 * Returns how far the last component of a name is from that of `typed`, where
 * small and capital letters are equal: the number of edits, 0 if they are
 * equal; if that is too large but they share at least half of what was typed, a
 * greater number; else NAME_NEAREST_FAR.  For name_nearest_function() and
 * tests.
 */
size_t name_nearest_distance(const char *typed, const char *name);

#define NAME_NEAREST_FAR	((size_t)-1)

#endif
