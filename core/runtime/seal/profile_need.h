/*
 * Context: T.  Decides at the end of a process (seal.c), or before an exec
 * (seal_exec.c), whether it has a file, although it may have counted nothing.
 * Not for a frozen process.
 */
#ifndef PROFILE_NEED_H
#define PROFILE_NEED_H

#include "format.h"

#include <stdbool.h>

/*
 * Returns whether the process needs a file.  One that used CPU time does, if no
 * other process may know its time or that of its short children, or if it is
 * long enough for a name in a report (store_create_used_cpu()).  So does the
 * first process of a run, one that has lost a count, and one with empty=yes or
 * file=.
 */
bool profile_need_exists(void);

/*
 * Returns whether the file of this process, whose header is h, is not needed:
 * nothing is in it, and it was made because a tool stopped the process, or
 * ahead of need (precreate.h).
 */
bool profile_need_is_none(const struct format_header *h);

/*
 * Creates the file of a process that needs one (profile_need_exists()), if it
 * has none.  Tries again at once where an earlier attempt has failed.
 */
void profile_need_create(void);

#endif
