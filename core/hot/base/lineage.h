/*
 * Context: S.  The state that a process hands on to its fork children.  The
 * start, orders, moncontrol() and the making of a file write it; all that
 * counts reads it.  Part of state.h.
 */
#ifndef LINEAGE_H
#define LINEAGE_H

#include "base/config.h"
#include "base/sys.h"
#include "format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * State that a process hands on to its fork children; a fork does not wipe it.
 */
struct lineage {
	int pid;		/* first process of the run; 0: not found yet */
	uint64_t start;		/* start time of that process, in clock ticks */
	int image_pid;		/* process in which this image began */
	bool descends;		/* a profiled process started that one */
	/* it began under a seccomp filter, as in a container */
	bool filtered;
	/*
	 * Header of an ancestor's file, still mapped; see ancestor.h.  If it is
	 * the header of this process's own file, only its children use it.
	 */
	struct format_header *ancestor;
	/* A call (see precreate.h) may have put the directory out of reach. */
	bool behind;
	/* text of the memory map, by proc_maps_save(); NULL: not saved */
	char *maps;
	size_t maps_bytes;	/* size of this copy */
	/* LINEAGE_*: why nothing is to be counted */
	_Atomic unsigned paused;
	/*
	 * Interval of CPU time, ns, from hz=, the directory defaults or an
	 * order; 0: automatic.
	 */
	_Atomic uint64_t interval;
	/* parity: which of the two lists of module_filter.h holds */
	_Atomic unsigned watch_turn;
	char watch[2][FORMAT_WATCH];	/* lists of watched modules */
};

#define LINEAGE_PAUSED	1u	/* the program wants it: moncontrol(0) */
#define LINEAGE_STOPPED	2u	/* a tool, or start=off, wants it */
#define LINEAGE_NO_TIME	4u	/* time is not one of the modes */
/* allocations are not one of the modes; only those are not counted */
#define LINEAGE_NO_HEAP	8u
/* The reasons not to count time, and not to count allocations. */
#define LINEAGE_UNTIMED	(LINEAGE_STOPPED | LINEAGE_NO_TIME)
#define LINEAGE_UNHEAPED \
	(LINEAGE_PAUSED | LINEAGE_STOPPED | LINEAGE_NO_HEAP)

/*
 * lineage_directory is where the run started, if this process needs it, else
 * "".
 */
extern struct lineage lineage;
extern char lineage_directory[PATH_MAX];

/* Returns whether any of the LINEAGE_* reasons in `who` holds. */
static inline bool
lineage_is_paused(unsigned who)
{
	return (atomic_load_explicit(&lineage.paused, memory_order_relaxed) &
	    who) != 0;
}

/*
 * Sets or clears the LINEAGE_* reasons in `who`.  Counters of calls do not
 * follow: a caller that changes what they depend on calls
 * arc_shard_set_paused() instead, or right after this.  Any thread and any
 * signal handler may call it.
 */
static inline void
lineage_set_paused(unsigned who, bool paused)
{
	if (paused)
		atomic_fetch_or(&lineage.paused, who);
	else
		atomic_fetch_and(&lineage.paused, ~who);
}

#endif
