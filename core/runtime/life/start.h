/*
 * Context: T.  Begins and ends the profile of a process, and follows its forks.
 */
#ifndef START_H
#define START_H

#include <stdbool.h>

/*
 * Starts the library, as its constructor does.  Further calls do nothing.
 * Hooks call it too, because they can run before any constructor of libmon.
 * `environment` is the process's vector itself: a relative PROFDIR is made
 * absolute in it.
 */
void start_library(char **environment);

/*
 * Starts counting in a library that is linked and not preloaded, when the
 * program asks for it.  Further calls do nothing, nor does a call in a
 * preloaded library.
 */
void start_linked(void);

/*
 * Seals the profile of a library that is only linked, or writes the file of
 * monitor(); called by the destructor that runs last.
 */
void start_library_end(void);

/*
 * Takes an order of a tool that waits for the process, so that a child which is
 * about to be made begins as the order says.  Call it before each call that
 * makes a process (fork, vfork, clone), in thread context or in a handler of
 * the program.  posix_spawn does not call it, as its child executes.  Does
 * nothing in a vfork child.
 */
void start_take_order(void);

/* Prepares the calling thread for a fork.  Called in the parent before it. */
void start_before_fork(void);

/*
 * Ends in the parent what start_before_fork() has begun, and counts the child.
 * made: the fork has succeeded, so there is a child.
 */
void start_fork_parent(bool made);

/*
 * Counts one more child, whose memory is its own or not, unless the caller is a
 * vfork child itself.  If the child has left the caller's memory, the caller
 * first takes it out of virtual_signals.vforks.  Behind seccomp, where getpid()
 * may kill, nothing is counted while virtual_signals.vforks is not 0.
 */
void start_count_child(void);

/* Begins a new profile in a fork child, where the parent's state was wiped. */
void start_fork_child(void);

/* Notes the status of quick_exit(3), for the seal after its handlers. */
void start_quick_exit(int status);

#endif
