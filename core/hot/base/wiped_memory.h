/*
 * Context: S.  Memory for the first tables of a process, which its ticks and
 * walks fill: the lookup table of the call tree, the cache of unwind rules, the
 * remembered paths of the first threads.
 *
 * It is part of the state, which a fork wipes.  A mapping of its own would be
 * copied to each fork child, with two page tables, for nothing: the child makes
 * its own tables.
 */
#ifndef WIPED_MEMORY_H
#define WIPED_MEMORY_H

#include <stddef.h>

/*
 * Returns n zeroed bytes, aligned to 64: of the state, or of a new mapping if
 * the state has no room left.  Returns NULL if the kernel refuses the mapping.
 * In a fork child those of the state are zeros, and handed out again.  Any
 * thread and any signal handler may call it, not in a frozen process.
 */
void *wiped_memory_alloc(size_t n);

/*
 * Frees n bytes at p, which wiped_memory_alloc() has returned.  Memory of the
 * state is not handed out again.
 */
void wiped_memory_free(void *p, size_t n);

/*
 * Makes later calls of wiped_memory_alloc() map what they return, in this
 * process and in those that it forks.  For a fork child in which a call of its
 * parent continues, and writes to the parent's tables.
 */
void wiped_memory_close(void);

#endif
