/*
 * Context: O.  Copies the profile of a running process, for the command `dump`
 * of a control session.  control_session.c calls it once the process has
 * answered; the process goes on counting meanwhile.
 */
#ifndef PROFILE_DUMP_H
#define PROFILE_DUMP_H

#include "fault.h"

/*
 * Copies the profile `path`, as it is now, to the file `to`, with mode 0600.
 * Readers take the copy for the profile of a process that has ended.  Returns
 * 0, or -errno with *f set.
 */
int profile_dump(const char *path, const char *to, struct fault *f);

#endif
