/*
 * Context: T.  Tells hooks and the other rooms whether libmon may work in the
 * calling process: whether it is profiled, and whether system calls are
 * allowed.  The first two functions may be called at any time, also before the
 * start, in a signal handler and in a vfork child.
 */
#ifndef PROFILING_H
#define PROFILING_H

#include <stdbool.h>

/*
 * Returns whether this process is profiled and the caller is not in a vfork
 * child of it.  While a linked library starts (start_linked()), returns false.
 * In a fork child that has not begun, begins it first, by the function of
 * profiling_set_child_begin().  Behind a seccomp filter, where getpid() may
 * kill, returns false as long as a vfork child may run.
 */
bool profiling_is_active(void);

/*
 * Returns whether libmon must make no system call, in this process and its
 * children, because of a seccomp filter.  Needs no `mon`.
 */
bool profiling_is_frozen(void);

/*
 * Sets the function that begins a fork child: one that a raw clone has made, or
 * whose atfork handler has not run yet.  Must be called once, before `mon` is
 * set; fork children inherit it.
 */
void profiling_set_child_begin(void (*begin)(void));

#endif
