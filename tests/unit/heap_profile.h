/* Context: O.  For tests of reports on allocations: makes their profiles. */
#ifndef HEAP_PROFILE_H
#define HEAP_PROFILE_H

#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A call at 0x100 + n, and at its place what was allocated there. */
uint32_t heap_frame(struct build *b, uint32_t parent, uint32_t module,
    uint64_t n);

/*
 * a calls b, which allocates `blocks` of 100 bytes, all but one freed and one
 * of these at once; c allocates one of 5000, which is live.  The peak is over:
 * b has noted 300 of it.
 */
void heap_save(const char *name, uint64_t blocks, bool pure);

/* The last columns of a table for programs. */
#define MORE "mapped_bytes,mapped_peak_bytes,mapped_total_bytes,mappings," \
    "high_bytes,high_exact\n"

void heap_shows(const char *arguments, const char *wanted);

/* As heap_shows(), but for the head of the report. */
void heap_shows_below_head(const char *arguments, const char *wanted);

#endif
