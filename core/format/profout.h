/* Context: P.  mon.out of Solaris for 64 bits: versioned, with modules. */
#ifndef PROFOUT_H
#define PROFOUT_H

#include "classic.h"

/*
 * A header {u32 magic, u16 major, u16 minor, u64 bytes}, then objects {u32
 * type, u32 version, u64 bytes, ...}.  An index in an object is an offset from
 * its start; 0 is none.  illumos usr/src/cmd/sgs/include/monv.h.
 */
#define PROFOUT_MAGIC		0x50524f46u	/* "PROF" */
#define PROFOUT_MAJOR		1u
#define PROFOUT_VERSION		1u	/* of every object */
#define PROFOUT_HEADER		16u
#define PROFOUT_OBJECT		16u

enum profout_type { PROFOUT_BUFFER = 1, PROFOUT_CALLS = 2,
	PROFOUT_MODULES = 3 };

/* u64 index of the samples, u64 how many: program counters of 8 bytes. */
#define PROFOUT_BUFFER_BYTES	32u
#define PROFOUT_BUFFER_MOST	131072u		/* samples in one */

/* u64 index of the first {u64 next_to, next_from, from, to, count, hash}. */
#define PROFOUT_LIST_BYTES	24u
#define PROFOUT_CALL_BYTES	48u

/* The same of {u64 next, path, start, end}; path is the index of a text. */
#define PROFOUT_MODULE_BYTES	32u

classic_is profout_is;
classic_reader profout_read;
classic_whole profout_whole;

#endif
