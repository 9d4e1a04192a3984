/*
 * Context: P.  Reader and layout of the mon.out of Solaris for 64 bits:
 * versioned, with samples, calls and modules.  classic.c reads; profout_put.h
 * and the writers in libmon.so and core/export use the sizes.
 */
#ifndef PROFOUT_H
#define PROFOUT_H

#include "classic/classic.h"

/*
 * The file is a header {u32 magic, u16 major, u16 minor, u64 bytes}, then
 * objects {u32 type, u32 version, u64 bytes, ...}.  An index in an object is an
 * offset from the object's start; 0 is none.  Source: illumos
 * usr/src/cmd/sgs/include/monv.h.
 */
#define PROFOUT_MAGIC		0x50524f46u	/* "PROF" */
#define PROFOUT_MAJOR		1u
#define PROFOUT_VERSION		1u	/* of every object */
#define PROFOUT_HEADER		16u
#define PROFOUT_OBJECT		16u

/* Types of objects. */
enum profout_type { PROFOUT_BUFFER = 1, PROFOUT_CALLS = 2,
	PROFOUT_MODULES = 3 };

/*
 * A buffer has u64 index of the samples and u64 number of samples; a sample is
 * a program counter of 8 bytes.
 */
#define PROFOUT_BUFFER_BYTES	32u
#define PROFOUT_BUFFER_MOST	131072u		/* samples in one buffer */

/*
 * A list of calls has u64 index of the first {u64 next_to, next_from, from, to,
 * count, hash}.
 */
#define PROFOUT_LIST_BYTES	24u
#define PROFOUT_CALL_BYTES	48u

/*
 * A list of modules has u64 index of the first {u64 next, path, start, end};
 * path is the index of a text.
 */
#define PROFOUT_MODULE_BYTES	32u

/* The functions of classic.h for this format. */
classic_is profout_is;
classic_reader profout_read;
classic_whole profout_whole;

#endif
