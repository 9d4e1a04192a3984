/*
 * Context: S.  Counts the processes that this one makes, and the CPU time of
 * those that it has waited for.  process_fork.c calls it behind the hooks of
 * fork, clone and posix_spawn, in the parent; the start, the maker of the file,
 * ticks and the seal call it to write the header's times.  children_cpu() and
 * children_write() make a system call, so no frozen process calls them.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include "base/state.h"

/*
 * Counts one more process that this one has made.  process_fork_count_child()
 * calls it in the parent, in any thread and any signal handler.  Does nothing
 * if nothing is profiled.
 */
static inline void
children_add(void)
{
	if (mon != NULL && mon->pid != 0)
		atomic_fetch_add_explicit(&mon->children, 1,
		    memory_order_relaxed);
}

/*
 * Returns the CPU time, in ns, of all children that were waited for and of the
 * descendants that those have waited for (RUSAGE_CHILDREN).  Costs one system
 * call, 0.3 us.
 */
uint64_t children_cpu(void);

/*
 * Writes the number of the children into the header, if there is a file.  Makes
 * no system call.  Once a seccomp filter is set, no other function writes the
 * number.
 */
void children_write_count(void);

/* Writes the CPU time and the number of the children into the header h. */
void children_write(struct format_header *h);

#endif
