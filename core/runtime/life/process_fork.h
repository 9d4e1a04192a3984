/*
 * Context: T.  Follows the forks of the process: counts its children, and
 * begins the profile of a child.  For the fork handlers of this file, which
 * libc calls at fork(3), and for hooks of calls that run no such handler
 * (_Fork, vfork, clone, syscall, posix_spawn).
 */
#ifndef PROCESS_FORK_H
#define PROCESS_FORK_H

#include <stdbool.h>

/* Registers the fork handlers, which call the functions below at fork(3). */
void process_fork_register_handlers(void);

/*
 * Obeys an order of a tool that waits in the profile, so that a child which is
 * about to be made begins as the order says.  Called before each call that
 * makes a process (fork, vfork, clone), in thread context or in a handler of
 * the program.  posix_spawn does not call it, as its child executes.  Does
 * nothing in a vfork child and behind a seccomp filter.
 */
void process_fork_take_order(void);

/*
 * Prepares the calling thread for a fork: obeys an order that waits; if the
 * thread is in a call that counts an allocation, keeps its alloc_thread for the
 * child.  Called in the parent before it, by the fork handlers and by hooks of
 * calls that run none.
 */
void process_fork_prepare(void);

/*
 * Ends in the parent what process_fork_prepare() has begun, and counts the
 * child.  made: the fork has succeeded, so there is a child.
 */
void process_fork_finish(bool made);

/*
 * Counts one more child, whose memory is its own or not, unless the caller is a
 * vfork child itself.  If the child has left the caller's memory, the caller
 * first takes it out of virtual_signals.vforks.  Behind seccomp, where getpid()
 * may kill, nothing is counted while virtual_signals.vforks is not 0.
 */
void process_fork_count_child(void);

/*
 * Begins a new profile in a fork child, where the parent's state was wiped, or
 * wipes it if the kernel cannot.  With follow=no, or behind a seccomp filter,
 * switches libmon off instead.  Does nothing if the child has begun, or shares
 * its parent's memory.  Also called by profiling_is_active().
 */
void process_fork_begin_child(void);

#endif
