/* Context: P.  A consistent copy of a profile file that may be growing. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

struct snapshot {
	unsigned char *bytes;
	size_t size;
	size_t room;
};

/* As pread(2), but -errno on failure; fewer than `count` bytes only at the
 * end of the file. */
typedef long snapshot_read(void *arg, void *to, size_t count,
    uint64_t offset);

/*
 * Copy the file behind `read` for decode_open(); why the copy is consistent is
 * in doc/format.md, "Reading a live file".  Takes memory for at most twice
 * what could be read.  0 or -errno with *f set; nothing is to be freed then.
 */
int snapshot_take(struct snapshot *s, snapshot_read *read, void *arg,
    struct fault *f);
void snapshot_fini(struct snapshot *s);

#endif
