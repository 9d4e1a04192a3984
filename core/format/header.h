/* Context: P.  Is it a profile, and one that can be read? */
#ifndef HEADER_H
#define HEADER_H

#include "fault.h"
#include "format.h"

#include <stdbool.h>

/*
 * Copy the header out of the first bytes of a file of `size` bytes and check
 * all in it that stands for itself; not its links.  At least the smaller of
 * `size` and FORMAT_HEADER bytes are there.  h->used comes out without
 * FORMAT_CLOSED.  0, or -errno with *f set.
 */
int header_read(struct format_header *h, const void *bytes, uint64_t size,
    struct fault *f);

/* Does it count nothing just now? */
bool header_is_stopped(const struct format_header *h);

/* CPU time that passed while the process was stopped, of so much in all. */
uint64_t header_stopped_ns(const struct format_header *h, uint64_t cpu_ns);

#endif
