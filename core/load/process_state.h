/* Context: O.  Does the process of a profile still run? */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include "format.h"

#include <stdbool.h>

/* 1 yes, 0 no, -1 it cannot be known: another boot, host or pid namespace. */
int process_state_check(const struct format_header *h);

/*
 * Returns whether it is certain that no thread of the process is left, not even
 * one that waits to be reaped.  Returns false if that cannot be known.
 */
bool process_state_is_gone(const struct format_header *h);

/* Is it the kernel that runs now? */
bool process_state_same_boot(const uint8_t boot_id[16]);

/* Do its process numbers mean what they mean to us? */
bool process_state_is_local(const struct format_header *h);

/*
 * Does it live, and was it born then, ns since 1970?  Not to the tick: that
 * time was reckoned by somebody from another clock, which may have been set
 * since.
 */
bool process_state_started_at(int32_t pid, uint64_t real);

/* CPU time of a process that lives, ns; 0 when it is gone. */
uint64_t process_state_cpu_ns(int32_t pid);

/* When it began, ns since 1970; 0 when it is gone. */
uint64_t process_state_start_ns(int32_t pid);

/* Has one of its threads a processor, or waits for one? */
bool process_state_is_runnable(int32_t pid);

/* Of that what it spent in the kernel, as well as the kernel knows. */
uint64_t process_state_system_ns(int32_t pid);

#endif
