/*
 * Context: O.  Checks the values of --set before the command runs, for
 * prof_record.c: libmon.so ignores a wrong one, which the user would learn
 * after a run of hours.
 */
#ifndef RECORD_CHECK_H
#define RECORD_CHECK_H

#include "record/record_options.h"

/*
 * Has libmon.so parse the options of *set, and those that PROFOPTS has now, in
 * a process that it does not profile.  Does nothing without --set.  Returns 0,
 * or -EINVAL after a line on standard error for each value that it does not
 * know.
 */
int record_check_options(const struct record_options *set);

#endif
