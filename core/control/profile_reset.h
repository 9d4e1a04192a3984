/* Context: O.  Having a process begin anew, and copies of how far it is. */
#ifndef PROFILE_RESET_H
#define PROFILE_RESET_H

#include "control_client.h"

/*
 * Checks that the file has room for another beginning, before the process is
 * told to forget its blocks.  Returns 0, or -errno with *f set.
 */
int profile_reset_fits(const struct control_client *a, const char *path,
    struct fault *f);

/*
 * What was counted so far is no part of the profile from here on: readers take
 * it off.  The process is to be stopped.  0 or -errno, and *f.
 */
int profile_reset_write(struct control_client *a, const char *path,
    struct fault *f);

/*
 * A copy of the profile as it is now, which is read as that of a process that
 * ended: a new file.  0 or -errno, and *f.
 */
int profile_dump(const char *path, const char *to, struct fault *f);

#endif
