/*
 * Context: S.  Handles several copies of this library in one process: only the
 * first one counts.  The start asks, before anything counts; the making and the
 * seal of a file write the number.
 */
#ifndef LIBRARY_COPIES_H
#define LIBRARY_COPIES_H

#include "format.h"

#include <stdbool.h>

/*
 * Returns whether another copy precedes this one in the global scope, or is in
 * the program's namespace while this one is in another (dlmopen).  If so, adds
 * 1 to the other copy's count, so the caller calls this once.  The first copy
 * receives the program's calls and counts; if two copies counted, each would
 * have all of the time.  No signal handler may call it.
 */
bool library_copies_is_second(void);

/* Writes the number of other copies to the losses of this process's file. */
void library_copies_write(struct format_header *h);

#endif
