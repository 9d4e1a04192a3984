/* Context: T.  gmon.out of this process, when format=gmon asks for it. */
#ifndef GMONOUT_H
#define GMONOUT_H

#include <stdbool.h>

/*
 * Before the file is sealed: that of the executable, as the C library would
 * write it, but with no call lost.  Nothing where it was not asked for, or
 * nothing was counted.
 */
void gmonout_write(void);

/* The program was built with -pg: it is gmon.out then. */
void gmonout_expected(void);

#endif
