/*
 * Context: O.  Finds the modules and processes that several profiles share; for
 * the files that read profiles (profiles.c, profiles_modules.c).
 */
#ifndef PROFILES_FIND_H
#define PROFILES_FIND_H

#include "libmon/profiles.h"

/*
 * Returns 1 + the index of the module with this path and build-id, or without a
 * build-id of this file; adds it, with a copy of the path, if it is new.  Its
 * time `seen` is the earliest of all.  Returns 0 without memory.
 */
uint32_t profiles_add_module(struct profiles *p,
    const struct profiles_module *m);

/*
 * Returns the index of a pid in p->pids, and adds it if it is new.  Returns
 * UINT32_MAX without memory.
 */
uint32_t profiles_pid(struct profiles *p, uint32_t pid);

/*
 * Returns the start of the process, field 22 of /proc/PID/stat, in real time,
 * ns since 1970; the begin of the image if the profile does not have that
 * field.  The clocks are read once, so that all images of a process have the
 * same start.
 */
uint64_t profiles_start_time(struct profiles *p, const struct format_header *h);

#endif
