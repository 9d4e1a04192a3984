/*
 * Context: T.  Counts the calls that a run of monitor(3C) shows: those since
 * its start, less those while moncontrol(0) held.
 *
 * monitor.c calls all functions but monitor_calls_are_own() under its lock.
 */
#ifndef MONITOR_CALLS_H
#define MONITOR_CALLS_H

#include "classic/monout_file.h"

#include <stdbool.h>

/* Begins a run, which does not show the calls that were made before it. */
void monitor_calls_begin(void);

/* Frees the totals of the run. */
void monitor_calls_end(void);

/*
 * Drops the totals of a fork child's parent: the child's calls begin at none.
 */
void monitor_calls_follow_fork(void);

/* Returns whether the run is of the calling process, not of its parent. */
bool monitor_calls_are_own(void);

/* Returns whether the program has paused the run. */
bool monitor_calls_are_paused(void);

/* Pauses the run or lets it go on, as moncontrol() does. */
void monitor_calls_set_paused(bool paused);

/*
 * Writes the calls of each function into the cells of the file: the program's
 * blocks first, then blocks of libmon.  Returns 0, or -ENOMEM if not all
 * functions have a cell.
 */
int monitor_calls_fill(struct monout_file *f);

#endif
