/*
 * Context: S.  Tables of the call tree, which only cct.c uses, and the arcs of
 * a thread, for core/hot/count and the stubs in core/arch/CPU/mcount.S.  Part
 * of state.h.
 */
#ifndef COUNT_STATE_H
#define COUNT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Lookup tables of the call tree, each larger than the one before; the newest
 * is asked first.  They may be lost: the tree itself is in the file.
 */
#define CCT_TABLES	12
struct cct_table {
	/* number of slots - 1; slots are a power of two */
	uint32_t mask;
	_Atomic uint32_t filled;	/* slots in use */
	_Atomic uint32_t entry[];	/* indexes of nodes by hash; 0: free */
};

/* The life of a shard. */
enum arc_shard_state {
	ARC_SHARD_USED = 1,	/* a thread counts in it */
	ARC_SHARD_LEFT,		/* its thread is about to end */
	ARC_SHARD_REPLACED,		/* a larger one is in its place */
};

/*
 * The arcs of one thread: this head, then the entries of arc_entry.h.  Only the
 * shard's thread adds to it.  The stubs know `mask`.
 */
struct arc_shard {
	/* (entries - 1) * size of an entry; 0: wiped by a fork */
	uint64_t mask;
	uint32_t filled;	/* entries in use, removed ones included */
	/* generation of the store that the arcs are in */
	unsigned generation;
	/* index of its present block in the file; 0: none */
	uint32_t arcs;
	uint32_t used;		/* arcs of this block that are taken */
	int tid;		/* its thread */
	_Atomic unsigned state;	/* enum arc_shard_state */
	struct arc_shard *next;	/* next of mon->shards */
	/* a thread is making a new arc, or has left that for good by a jump */
	_Atomic bool busy;
	/* calls while nothing is to be counted, which are dropped */
	uint64_t unwanted;
	uint8_t pad[8];
};

#endif
