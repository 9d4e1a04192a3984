/* Context: O.  Modules and processes that profiles have in common. */
#ifndef PROFILES_FIND_H
#define PROFILES_FIND_H

#include "profiles.h"

/*
 * That of this path and build-id, or without one of this file, made when it is
 * not there; seen: the first time.  + 1; 0: no memory.
 */
uint32_t profiles_add_module(struct profiles *p,
    const struct profiles_module *m);

/* Of a process number; UINT32_MAX: no memory. */
uint32_t profiles_pid(struct profiles *p, uint32_t pid);

/*
 * Of the process, as field 22 of /proc/PID/stat has it, in real time: that of
 * the first look, as images of one process must not differ.
 */
uint64_t profiles_start_time(struct profiles *p, const struct format_header *h);

#endif
