/*
 * Context: O.  Finds the profiles of the processes that the user names by pid,
 * directory or file.  Used by control sessions, the prof device and tprof top.
 */
#ifndef TARGET_PROFILE_H
#define TARGET_PROFILE_H

#include "fault.h"
#include "input.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns whether `name` is a directory. */
bool target_profile_is_directory(const char *name);

/*
 * Adds to *in the profiles that `name` stands for: that of a process "PID", all
 * in a directory, or one file.  A number is a process's unless a file has that
 * name.  A directory also yields the profiles of processes that have ended.
 * Returns 0, or -errno with *f set.
 */
int target_profile_find(struct input *in, const char *name, struct fault *f);

/*
 * Returns whether fd is a copy of a profile that was made while the process
 * ran: the process maps another file, which is its profile.  Returns false if
 * that cannot be known, for example on overlayfs, whose files have other inode
 * numbers in /proc/PID/maps.
 */
bool target_profile_is_copy(int32_t pid, int fd);

#endif
