/* Context: S.  Several copies of this library in one process. */
#ifndef COPIES_H
#define COPIES_H

#include "format.h"

#include <stdbool.h>

/*
 * Returns whether another copy stands before this one in the global scope, and
 * tells it of this one, once.  That one has the program's calls and counts; two
 * that count would each have all of the time.  Not in a signal handler.
 */
bool copies_is_second(void);

/* Writes the number of the others to the losses of this process's file. */
void copies_tell(struct format_header *h);

#endif
