/*
 * Context: P.  Takes a consistent copy of a profile that a process may still be
 * writing.  load.c calls this, and reads the file in its callback; it takes no
 * lock and stops nobody.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

/* A copy in memory. */
struct snapshot {
	unsigned char *bytes;
	size_t size;
	size_t room;		/* bytes allocated */
};

/*
 * Reads as pread(2), but returns -errno on failure, and fewer than `count`
 * bytes only at the end of the file.
 */
typedef long snapshot_read(void *arg, void *to, size_t count,
    uint64_t offset);

/*
 * Copies the file behind `read` for decode_open(); doc/format.md, "Reading a
 * live file", shows why the copy is consistent.  `read` is called with `arg`.
 * Allocates at most twice the sum of 256 KiB and what could be read.  Returns
 * 0, also if the file ends before its `used`; or -errno with *f set, and there
 * is nothing to free.
 */
int snapshot_take(struct snapshot *s, snapshot_read *read, void *arg,
    struct fault *f);
/* Frees the copy. */
void snapshot_fini(struct snapshot *s);

#endif
