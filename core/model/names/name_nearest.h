/*
 * Context: O.  Finds the function whose name is nearest to one that a user
 * typed and that no function has.
 */
#ifndef NAME_NEAREST_H
#define NAME_NEAREST_H

#include "base/model.h"

/*
 * Returns the name of the function in the profiles that is nearest to `typed`,
 * by the last component of both; it lives as long as the model.  Returns NULL
 * if none is near.
 */
const char *name_nearest_function(struct model *m, const char *typed);

/*
 * Returns how far the last component of a name is from that of `typed`: the
 * number of edits, and more if they share only a part; 0: the letters are the
 * same, small or large.  NAME_NEAREST_FAR: they have too little in common.
 */
size_t name_nearest_distance(const char *typed, const char *name);

#define NAME_NEAREST_FAR	((size_t)-1)

#endif
