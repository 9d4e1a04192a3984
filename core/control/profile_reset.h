/*
 * Context: O.  Resets a profile of a running process (`end`), and copies such a
 * profile (`dump`).
 */
#ifndef PROFILE_RESET_H
#define PROFILE_RESET_H

#include "control_client.h"

/*
 * Checks that the profile has room for another base, before the process is told
 * to forget its blocks.  path: the profile of `a`.  Returns 0, or -errno with
 * *f set.
 */
int profile_reset_fits(const struct control_client *a, const char *path,
    struct fault *f);

/*
 * Writes a base into the profile: readers subtract everything that was counted
 * so far.  The process must be stopped.  path: the profile of `a`.  Returns 0,
 * or -errno with *f set.
 */
int profile_reset_write(struct control_client *a, const char *path,
    struct fault *f);

/*
 * Copies the profile `path`, as it is now, to the new file `to`.  Readers take
 * the copy for the profile of a process that has ended.  Returns 0, or -errno
 * with *f set.
 */
int profile_dump(const char *path, const char *to, struct fault *f);

#endif
