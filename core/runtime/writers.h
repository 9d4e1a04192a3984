/* Context: T.  Files of other profilers, of this process: format= of mon(7). */
#ifndef WRITERS_H
#define WRITERS_H

#include <stdbool.h>

/*
 * Before the file is sealed: the one that was asked for.  Nothing where none
 * was, or nothing was counted.
 */
void writers_run(void);

/* The program was built with -pg: what it would have written is gmon.out. */
void writers_expect_gmon(void);

/*
 * Each writes a whole file.  0 or -errno; -ENODATA: there is nothing to write,
 * -ERANGE: the format cannot hold it.
 */
typedef int writer(const char *path);
writer write_gmon;		/* gmon.out of GNU: the executable */
writer write_mon;		/* mon.out of System V: the executable */
writer write_prof;		/* mon.out of Solaris: all modules */

#endif
