/* Context: O.  Which of the copies of a file is read. */
#ifndef DUPLICATES_H
#define DUPLICATES_H

#include "input.h"

/*
 * The order in which files are read, as indexes: as they are, but of those that
 * were one file once the one that knows the most stands at the place of the
 * first.  Malloced; NULL: no memory.
 */
size_t *duplicates_read_order(const struct input *in);

#endif
