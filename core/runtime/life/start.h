/* Context: T.  From nothing to a profiled process, and its end. */
#ifndef START_H
#define START_H

#include <stdbool.h>

/*
 * The constructor's work; again harmless.  Hooks call it too: they can run
 * before any constructor of ours.  `environment` is the vector itself: a
 * relative PROFDIR is made absolute in it.
 */
void start_library(char **environment);

/*
 * The library is linked and not preloaded, and the program asks for what it
 * counts.  Again harmless; nothing where it is preloaded.
 */
void start_linked(void);

/* The last of all destructors: the same, when it ends. */
void start_library_end(void);

/*
 * Takes an order of a tool that waits for the process, so that a child which is
 * about to be made begins as the order says.  Call it before each call that
 * makes a process (fork, vfork, clone), in thread context or in a handler of
 * the program.  posix_spawn does not call it, as its child executes.  Does
 * nothing in a vfork child.
 */
void start_take_order(void);

/* Prepares the calling thread for a fork; called before it in the parent. */
void start_before_fork(void);

/*
 * Ends in the parent what alloc_thread_fork_prepare() has begun, and counts the
 * child. made: there is one, because the call has not failed.
 */
void start_fork_parent(bool made);

/*
 * Counts one more child, whose memory is its own or not, unless the caller is a
 * vfork child itself.  The caller first takes a child that has left our memory
 * out of virtual_signals.vforks.  Behind seccomp, where getpid() may kill,
 * nothing is counted while virtual_signals.vforks is not 0.
 */
void start_count_child(void);

/* After fork, in the child: state was wiped, this begins it anew. */
void start_fork_child(void);

/* quick_exit(3) begins: its status, for when its handlers have run. */
void start_quick_exit(int status);

/* Is this process profiled, and are we not in a vfork child of it? */
bool start_active(void);

/* May we make no system call but the program's own?  Its children neither. */
bool start_frozen(void);

#endif
