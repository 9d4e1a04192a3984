/* Context: O.  Copies the profile of a running process (`dump`). */
#ifndef PROFILE_DUMP_H
#define PROFILE_DUMP_H

#include "fault.h"

/*
 * Copies the profile `path`, as it is now, to the new file `to`.  Readers take
 * the copy for the profile of a process that has ended.  Returns 0, or -errno
 * with *f set.
 */
int profile_dump(const char *path, const char *to, struct fault *f);

#endif
