/* Context: O.  Does the process of a profile still run? */
#ifndef ALIVE_H
#define ALIVE_H

#include "format.h"

#include <stdbool.h>

/* 1 yes, 0 no, -1 it cannot be known: another boot, host or pid namespace. */
int alive_check(const struct format_header *h);

/*
 * Returns whether it is certain that no thread of the process is left, not even
 * one that waits to be reaped.  Returns false if that cannot be known.
 */
bool alive_is_gone(const struct format_header *h);

/* Is it the kernel that runs now? */
bool alive_is_boot(const uint8_t boot_id[16]);

/* Do its process numbers mean what they mean to us? */
bool alive_is_here(const struct format_header *h);

/*
 * Does it live, and was it born then, ns since 1970?  Not to the tick: that
 * time was reckoned by somebody from another clock, which may have been set
 * since.
 */
bool alive_was_born(int32_t pid, uint64_t real);

/* CPU time of a process that lives, ns; 0 when it is gone. */
uint64_t alive_cpu(int32_t pid);

/* When it began, ns since 1970; 0 when it is gone. */
uint64_t alive_birth(int32_t pid);

/* Has one of its threads a processor, or waits for one? */
bool alive_runs(int32_t pid);

/* Of that what it spent in the kernel, as well as the kernel knows. */
uint64_t alive_system_ns(int32_t pid);

#endif
