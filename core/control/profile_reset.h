/*
 * Context: O.  Resets the profile of a running process, for the command `end`
 * of a control session.
 */
#ifndef PROFILE_RESET_H
#define PROFILE_RESET_H

#include "control_client.h"

/*
 * Checks that the profile has room for another baseline, before the order that
 * makes the process forget its blocks is sent.  path: the profile of `a`.
 * Returns 0, or -errno with *f set.
 */
int profile_reset_fits(const struct control_client *a, const char *path,
    struct fault *f);

/*
 * Writes a baseline into the profile: readers subtract everything that was
 * counted so far.  The process has taken the order to stop, or will take it
 * before it counts on.  path: the profile of `a`.  Takes the file lock, at most
 * for the time of the write.  Returns 0, or -errno with *f set.
 */
int profile_reset_write(struct control_client *a, const char *path,
    struct fault *f);

#endif
