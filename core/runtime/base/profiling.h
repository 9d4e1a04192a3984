/*
 * Context: T.  Tells hooks and the other rooms whether libmon may work in the
 * calling process: whether it is profiled, and whether system calls are
 * allowed.
 */
#ifndef PROFILING_H
#define PROFILING_H

#include <stdbool.h>

/*
 * Returns whether this process is profiled and the caller is not in a vfork
 * child of it.  In a fork child that has not begun, begins it first, by the
 * function of profiling_set_child_begin().  Behind a seccomp filter, where
 * getpid() may kill, returns false as long as a vfork child may run.
 */
bool profiling_is_active(void);

/*
 * Returns whether libmon must make no system call, in this process and its
 * children, because of a seccomp filter.
 */
bool profiling_is_frozen(void);

/*
 * Sets the function that begins a fork child: one that a raw clone has made, or
 * whose atfork handler has not run yet.  Must be called once, before `mon` is
 * set; fork children inherit it.
 */
void profiling_set_child_begin(void (*begin)(void));

#endif
