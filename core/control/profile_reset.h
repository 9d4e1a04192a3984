/* Context: O.  Resets the profile of a running process (`end`). */
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

#endif
