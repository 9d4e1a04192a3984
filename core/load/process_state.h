/*
 * Context: O.  Tells whether the process of a profile still runs, and what the
 * kernel knows of it, for tools that read or control live profiles, and for
 * samplers.  Everything is read from /proc and from clocks at each call, so an
 * answer may be old at once.  Functions with a pid do not know whether the pid
 * was used again: the caller has asked process_state_check() or compares start
 * times.  Those that compare the boot are not for several threads at once.
 */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include "format.h"

#include <stdbool.h>

/*
 * Returns 1 if the process of the profile lives, 0 if not, -1 if this cannot be
 * known: the profile is of another boot, host or pid namespace.  A process
 * whose threads all wait to be reaped does not live.
 */
int process_state_check(const struct format_header *h);

/*
 * Returns whether it is certain that no thread of the process is left, not even
 * one that waits to be reaped.  Returns false if that cannot be known, also if
 * the profile does not name its pid namespace.  load_open() truncates files on
 * this answer.
 */
bool process_state_is_gone(const struct format_header *h);

/*
 * Returns whether boot_id is that of the running kernel; false if that cannot
 * be read.
 */
bool process_state_same_boot(const uint8_t boot_id[16]);

/*
 * Returns whether the pids in the profile mean the same processes as in this
 * process: same boot, same pid namespace.  A profile that does not name its
 * namespace (0) is taken as local.
 */
bool process_state_is_local(const struct format_header *h);

/*
 * Returns whether a process lives and started at the time `real`, in ns since
 * 1970.  Allows 2 s of difference, because the time was computed by another
 * program from another clock, which may have been set since.
 */
bool process_state_started_at(int32_t pid, uint64_t real);

/*
 * Returns the CPU time of a living process, user and kernel, in ns; 0 if it is
 * gone.
 */
uint64_t process_state_cpu_ns(int32_t pid);

/*
 * Returns the start time of a process in ns since 1970, exact to 1 /
 * _SC_CLK_TCK s; 0 if it is gone.
 */
uint64_t process_state_start_ns(int32_t pid);

/*
 * Returns whether any thread of the process runs or waits for a processor
 * (state R).
 */
bool process_state_is_runnable(int32_t pid);

/*
 * Returns the CPU time that a process has spent in the kernel, in ns, as far as
 * the kernel knows it; 0 if it is gone.
 */
uint64_t process_state_system_ns(int32_t pid);

#endif
