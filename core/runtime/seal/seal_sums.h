/*
 * Context: T.  Reads the sums of elapsed time for the last time, at a seal: how
 * long the living threads have waited for a processor, and how long the CPU
 * quota has stopped the control group.  For profile_end.c and seal_exec.c;
 * doc/design/waiting.md.
 */
#ifndef SEAL_SUMS_H
#define SEAL_SUMS_H

#include "format.h"

/*
 * Writes the final sums up to h->cpu_mono into the header.  Asks threads for at
 * most 1/200 of the time that the process has lived, or 2 ms if that is more;
 * the time of threads that are not asked by then stays in unasked_ns.  Not in a
 * frozen process.
 */
void seal_sums_write(struct format_header *h);

/* Lets the sums go on after an exec that has failed.  Makes no system call. */
void seal_sums_undo(struct format_header *h);

#endif
