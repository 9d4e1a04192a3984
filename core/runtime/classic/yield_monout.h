/* Context: T.  Leaves the classic name to the program's own monitor(). */
#ifndef YIELD_MONOUT_H
#define YIELD_MONOUT_H

/*
 * Makes the profile of this process, and of its fork children from now on, take
 * the next name: mon.out.PID instead of mon.out, X.2 instead of X.  Renames the
 * profile if there is one.  monitor(3C) calls it when it begins.
 */
void yield_monout_name(void);

#endif
