/* Context: T.  Which coarse clock a thread gets. */
#ifndef CLOCK_H
#define CLOCK_H

#include "state.h"

/*
 * A thread timer, or the process's where none can be had, or neither, which is
 * a loss that the file names.  s: any thread of ours whose stack holds a tick.
 */
void clock_start(struct slot *s);

#endif
