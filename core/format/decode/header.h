/*
 * Context: P.  Checks the header of a profile and reads times from it.  Each
 * tool that opens a profile begins here: load.c, trim.c, the snapshot, the
 * decoder, and control_client.c with the file of a running process.
 */
#ifndef HEADER_H
#define HEADER_H

#include "fault.h"
#include "format.h"

#include <stdbool.h>

/*
 * Copies the header out of the first bytes of a file of `size` bytes and checks
 * every field that can be checked alone, but not the links.  `bytes` has at
 * least the smaller of `size` and FORMAT_HEADER bytes.  h->used comes out
 * without FORMAT_CLOSED, and both lists of watched modules ended by NUL.
 * Returns 0, or -errno with *f set.
 */
int header_read(struct format_header *h, const void *bytes, uint64_t size,
    struct fault *f);

/* Returns whether the process counts nothing, as of this header. */
bool header_is_stopped(const struct format_header *h);

/*
 * Returns the CPU time in ns that passed while the process counted no time;
 * `cpu_ns` is all of its CPU time until now.
 */
uint64_t header_stopped_ns(const struct format_header *h, uint64_t cpu_ns);

#endif
