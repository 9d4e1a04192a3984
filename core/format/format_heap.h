/*
 * Context: P.  The heap and the mappings in a profile: their totals by call
 * path, by allocation thread record and over time.  core/hot/heap* writes them,
 * decode_heap*.c reads them.  Part of format.h.
 */
#ifndef FORMAT_HEAP_H
#define FORMAT_HEAP_H

#include "format_tree.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Totals of the allocations (FORMAT_HEAP) or mappings (FORMAT_MAP) of one call
 * path, and of their ends.  In its node, count and ns are the blocks and bytes
 * that were allocated.  Only the thread that has the path's allocation thread
 * record adds to the fields, except to taken_bytes and taken_blocks, to which
 * other threads add.  Live is what was allocated less freed and taken.
 */
struct format_heap {
	struct format_node node;
	/*
	 * Bytes that were live at the process's peak, if era is that of
	 * format_memory; else the path has not changed since the peak.
	 */
	uint64_t peak_bytes;
	uint64_t era;		/* era of peak_bytes */
	uint64_t freed_bytes;	/* freed by the thread that has the record */
	uint64_t freed_blocks;
	/* Freed before their thread allocated again */
	uint64_t temporary_blocks;
	uint64_t resized_blocks; /* made by realloc from another block */
	/* Most bytes of this path that were live at once */
	uint64_t high_bytes;
	uint64_t taken_bytes;	/* freed by other threads */
	uint64_t taken_blocks;
	/* The path's format_alloc_thread; 0: not in use yet */
	uint32_t alloc_thread;
	/*
	 * Blocks that were chosen, if not all were counted: the other fields
	 * count each of them as all the blocks that it stands for.
	 */
	uint32_t samples;
};

/* Returns whether a node of this kind is a struct format_heap. */
static inline int
format_has_heap(uint32_t kind)
{
	return kind == FORMAT_HEAP || kind == FORMAT_MAP;
}

/* Size classes: 0, 1, 2 to 3, 4 to 7, and so on */
#define FORMAT_SIZES	50u

/*
 * An allocation thread record (the header lists them in `alloc_threads`): one
 * thread at a time counts its allocations in it.
 */
struct format_alloc_thread {
	uint32_t next;
	uint32_t root;		/* node, kind FORMAT_ROOT */
	uint32_t pad[2];
	uint64_t unknown_frees;	/* frees of blocks from before, or not seen */
	/*
	 * Blocks whose address was given out again although no free of them was
	 * seen
	 */
	uint64_t missed_ends;
	/* Blocks allocated, by the number of binary digits of their size */
	uint64_t sizes[FORMAT_SIZES];
};

/* The heap of the whole process. */
struct format_memory {
	uint64_t era;		/* grows by one with each new peak */
	uint64_t peak_bytes;	/* most bytes that were live at once */
	uint64_t since_mono;	/* when counting began */
	/*
	 * Mean bytes from one chosen block to the next; 0: all blocks were
	 * counted.
	 */
	uint64_t period;
	uint32_t growth;	/* struct format_heap_timeline; 0: none */
	uint32_t pad[3];
};

/* The heap at one time.  A field of 0 is empty, or is just being written. */
struct format_heap_point {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC; in no order */
	uint64_t live_bytes;	/* live bytes of blocks, or mapped bytes */
	uint64_t resident_bytes; /* of the process; 0: not read */
};

/* The heap over time, in at most FORMAT_HEAP_POINTS points. */
struct format_heap_timeline {
	uint64_t interval_ns;	/* least time between two points, as of now */
	uint32_t room;		/* points that there is space for */
	/*
	 * FORMAT_MAP: blocks are not counted, and points are of mappings; 0:
	 * points are of blocks.
	 */
	uint32_t kind;
	struct format_heap_point point[];
};

#define FORMAT_HEAP_POINTS	512u

_Static_assert(sizeof(struct format_heap) == 128, "heap");
_Static_assert(offsetof(struct format_heap, peak_bytes) % 16 == 0, "a pair");
_Static_assert(sizeof(struct format_alloc_thread) == 432, "alloc_thread");
_Static_assert(sizeof(struct format_memory) == 48, "memory");
_Static_assert(sizeof(struct format_heap_point) == 24, "point");
_Static_assert(sizeof(struct format_heap_timeline) == 16, "growth");

#endif
