/*
 * Context: S.  Tells whether the caller may be a vfork child, which shares the
 * memory of this process, but has signal actions and a thread id of its own.
 * For code of all rooms of core/hot that would change what the two share.
 */
#ifndef VFORK_CHILD_H
#define VFORK_CHILD_H

#include "base/signal_state.h"
#include "base/state.h"
#include "base/sys.h"

#include <stdbool.h>

/*
 * Returns whether the caller is a vfork child, or may be one: behind a seccomp
 * filter, where getpid() may kill, every thread may be one while a vfork child
 * runs.  `mon` must be set.  Makes a system call only while one runs.
 */
static inline bool
vfork_child_is_possible(void)
{
	return atomic_load_explicit(&virtual_signals.vforks,
	    memory_order_relaxed) != 0 && (atomic_load(&virtual_signals.boxed)
	    || sys_getpid() != mon->pid);
}

#endif
