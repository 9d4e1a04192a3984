/*
 * Context: O.  Finds several copies of one profile among the input files and
 * lets the best come first.  For read_inputs(), which reads the files in this
 * order; process_image_is_copy() then tells it to leave out the other copies.
 */
#ifndef DUPLICATES_H
#define DUPLICATES_H

#include "input.h"

/*
 * Returns the order in which the files of *in are to be read, as indexes into
 * in->files.  Reads the header of each file.  The order of the input is kept,
 * but of several copies of one profile the most complete one changes places
 * with the first: a sealed one before another, then the one with more ticks,
 * then the one with names (prof --embed).  A file whose header cannot be read
 * keeps its place.  The caller frees the array.  Returns NULL without memory.
 */
size_t *duplicates_read_order(const struct input *in);

#endif
