/*
 * Context: P.  Checks the header of a profile and reads times from it.  All
 * code that opens a profile calls header_read() first: load.c, trim.c,
 * snapshot.c, decode.c, and control_client.c for the file of a running process.
 */
#ifndef HEADER_H
#define HEADER_H

#include "fault.h"
#include "format.h"

#include <stdbool.h>

/*
 * Copies the header of a profile into *h and checks every field that can be
 * checked without the rest of the file, but not the links.  size: bytes of the
 * file; UINT64_MAX if not known: then a truncated file is not noticed.  bytes:
 * the first bytes of the file, at least the smaller of `size` and FORMAT_HEADER
 * of them.  Removes FORMAT_CLOSED from h->used and ends both lists of watched
 * modules by NUL.  Returns 0; or -errno with *f set, and *h may be partly
 * filled.
 */
int header_read(struct format_header *h, const void *bytes, uint64_t size,
    struct fault *f);

/*
 * Returns whether a tool or start=off has stopped the process, as of this
 * header.  Returns false if only moncontrol(0) or its modes stop the counting.
 */
bool header_is_stopped(const struct format_header *h);

/*
 * Returns the CPU time in ns that passed while the process counted no time;
 * `cpu_ns` is all of its CPU time until now.
 */
uint64_t header_stopped_ns(const struct format_header *h, uint64_t cpu_ns);

#endif
