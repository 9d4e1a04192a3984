/* Context: O.  Which processes are meant: by number, directory or file. */
#ifndef TARGET_PROFILE_H
#define TARGET_PROFILE_H

#include "fault.h"
#include "input.h"

#include <stdbool.h>
#include <stdint.h>

/* Is a directory meant?  A number is a process's, if nothing has that name. */
bool target_profile_is_directory(const char *name);

/*
 * The profiles of "PID", of the processes of a directory, or of one file.  0 or
 * -errno, and *f.  Of a directory also those of processes that have ended.
 */
int target_profile_find(struct input *in, const char *name, struct fault *f);

/*
 * Is it a copy that somebody made while the process ran: has that mapped
 * another file, which is its profile?  Where it cannot be known, as on
 * overlayfs, whose files have other numbers in maps: no.
 */
bool target_profile_is_copy(int32_t pid, int fd);

#endif
