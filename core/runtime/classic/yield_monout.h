/* Context: T.  The classic name is left to the program's own monitor(). */
#ifndef YIELD_MONOUT_H
#define YIELD_MONOUT_H

/*
 * From here on the profile of this process, and of its children, takes the next
 * name: mon.out.PID for mon.out, X.2 for X.  One that is there is renamed.
 */
void yield_monout_name(void);

#endif
