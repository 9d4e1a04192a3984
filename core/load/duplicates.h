/*
 * Context: O.  Orders several copies of one profile so that the best comes
 * first; the reader of the input files skips the others.
 */
#ifndef DUPLICATES_H
#define DUPLICATES_H

#include "input.h"

/*
 * Returns the order in which the files of *in are to be read, as indexes into
 * in->files.  The order of the input is kept, but of several copies of one
 * profile the most complete one changes places with the first.  The caller
 * frees the array.  Returns NULL without memory.
 */
size_t *duplicates_read_order(const struct input *in);

#endif
