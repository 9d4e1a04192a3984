/*
 * Context: T.  Leaves the classic name, mon.out, to the program's own
 * monitor().  monitor.c calls it when monitor() begins, under its lock; only
 * the first call in a process does anything.
 */
#ifndef YIELD_MONOUT_H
#define YIELD_MONOUT_H

/*
 * Makes the profile of this process, and of its fork children from now on, take
 * the next name: mon.out.PID instead of mon.out, X.2 instead of X.  Renames the
 * profile if there is one.  Waits at most 1 s for a thread that makes it.  Does
 * nothing in a frozen process or one that is not profiled.
 */
void yield_monout_name(void);

#endif
