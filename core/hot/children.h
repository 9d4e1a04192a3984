/* Context: S.  The CPU time of the processes that this one has waited for. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include "state.h"

/*
 * Count one more process made by this one.  Called by the hooks of functions
 * that make processes, in the parent; from any thread.  Does nothing where
 * nothing is profiled.
 */
static inline void
children_count(void)
{
	if (mon != NULL && mon->pid != 0)
		atomic_fetch_add_explicit(&mon->children, 1,
		    memory_order_relaxed);
}

/*
 * Read the CPU time, ns, of all children that were waited for and of their
 * descendants that were (RUSAGE_CHILDREN).  One system call, 0.3 us.
 */
uint64_t children_cpu(void);

/* Write the CPU time and the number of the children into the header. */
void children_record(struct format_header *h);

#endif
