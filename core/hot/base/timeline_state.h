/*
 * Context: S.  State of heap_timeline.c, which adds points to the file; the
 * thread that has set `busy` owns what is not atomic.  peak.c and map_count.c
 * read and reset `high`.  Part of state.h.
 */
#ifndef TIMELINE_STATE_H
#define TIMELINE_STATE_H

#include "format.h"

#include <stdatomic.h>
#include <stdint.h>

/* State of heap_timeline.c, beside the format_heap_timeline in the file. */
struct heap_timeline {
	_Atomic bool busy;	/* a thread adds a point */
	/* generation of the store that `record` is in */
	unsigned generation;
	uint32_t record;	/* index of the format_heap_timeline; 0: none */
	unsigned count;		/* points in order[] */
	unsigned spare;		/* points in free[], which can be used again */
	/* CLOCK_MONOTONIC, ns, when the next point is due */
	_Atomic uint64_t next_mono;
	/* time from one point to the next, ns */
	_Atomic uint64_t interval_ns;
	/* a peak above this many bytes makes a point at once */
	_Atomic uint64_t high;
	/*
	 * CLOCK_MONOTONIC, ns, from which the resident size may be read again
	 */
	uint64_t resident_mono;
	/* numbers of the points in use, by time */
	uint16_t order[FORMAT_HEAP_POINTS];
	/* numbers of free points, the earliest last */
	uint16_t free[FORMAT_HEAP_POINTS];
};

#endif
