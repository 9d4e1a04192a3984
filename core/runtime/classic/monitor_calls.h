/*
 * Context: T.  Counts the calls that monitor(3C) shows: those since it began,
 * less those between moncontrol(0) and moncontrol(1).
 *
 * monitor.c calls all functions but monitor_calls_are_own() under its lock.
 */
#ifndef MONITOR_CALLS_H
#define MONITOR_CALLS_H

#include "classic/monout_file.h"

#include <stdbool.h>

/* Begins: the calls that were made before are not shown. */
void monitor_calls_begin(void);

/* Ends, and frees the totals. */
void monitor_calls_end(void);

/*
 * Drops the totals of a fork child's parent: the child's calls begin at none.
 */
void monitor_calls_follow_fork(void);

/* Returns whether the calling process, not its parent, began to count. */
bool monitor_calls_are_own(void);

/* Returns whether the program has paused the counting. */
bool monitor_calls_are_paused(void);

/* Pauses the counting or lets it go on, as moncontrol() does. */
void monitor_calls_set_paused(bool paused);

/*
 * Writes the calls of each function into the cells of the file: the program's
 * blocks first, then blocks of libmon.  Returns 0, or -ENOMEM if not all
 * functions have a cell.
 */
int monitor_calls_fill(struct monout_file *f);

#endif
