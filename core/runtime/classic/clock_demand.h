/*
 * Context: T.  Starts and stops the clocks of a library that is only linked:
 * they run while the program has a histogram or a gmon.out.  profil.c and
 * format_writers.c call it, and the begin of a process (process_begin.c).
 */
#ifndef CLOCK_DEMAND_H
#define CLOCK_DEMAND_H

#include <stdbool.h>

/*
 * Returns whether the program wants clocks: always in a preloaded library; in
 * one that is only linked, while a histogram or gmon.out needs them.
 */
bool clock_demand_exists(void);

/*
 * Starts or stops the clocks of a library that is only linked, as
 * clock_demand_exists() says.  Call it after each change of that, once the
 * library counts (start_linked()).  Does nothing in a preloaded library and
 * behind seccomp.
 */
void clock_demand_apply(void);

#endif
