/* Context: O.  Files whose code is mapped, of any process. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "finder.h"
#include "program.h"
#include "tprof.h"

struct library {
	struct tprof_module id;	/* path: ours, with a NUL behind */
	uint32_t flags;		/* TPROF_M_* */
	uint64_t bias;		/* of addresses that are offsets in the file */
	struct program program;	/* with TPROF_M_BIASED */
	bool settled;
	char *found;		/* where its file was read; NULL = nowhere */
	char *outside;		/* what its path is here, of a program below
				   another root; NULL = the same */
	void *tables;		/* of unwind.h; NULL = not opened yet */
	uint32_t number;	/* for who uses them; 0 at first */
};

struct libraries {
	struct library *all;
	size_t count, room;
	struct finder by_path;
};

/*
 * That of this path and identity, made when it is not there: by its build-id,
 * or else by device and inode.  UINT32_MAX: no memory.
 */
uint32_t libraries_find(struct libraries *l, const struct tprof_module *id);

/*
 * What only the file says: its build-id, and how its addresses map; by a
 * process that has it mapped, as paths mean what they mean there.
 */
void libraries_settle(struct libraries *l, uint32_t n, int32_t pid);

/* For who looks for the file later: `id`, by its path here. */
struct tprof_module library_id(const struct library *own);
void libraries_free(struct libraries *l);

#endif
