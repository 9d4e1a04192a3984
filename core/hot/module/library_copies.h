/* Context: S.  Several copies of this library in one process. */
#ifndef LIBRARY_COPIES_H
#define LIBRARY_COPIES_H

#include "format.h"

#include <stdbool.h>

/*
 * Returns whether another copy precedes this one in the global scope, or is in
 * the program's namespace while this one is in another (dlmopen); if so, tells
 * it of this copy, once.  The first copy receives the program's calls and
 * counts; with two that count, each would have all of the time.  Not in a
 * signal handler.
 */
bool library_copies_is_second(void);

/* Writes the number of other copies to the losses of this process's file. */
void library_copies_write(struct format_header *h);

#endif
