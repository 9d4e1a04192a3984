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
void start_for_program(void);

/* The last of all destructors: the same, when it ends. */
void start_end_of_program(void);

/* Counts the child; called after fork in the parent. */
void start_parent(void);

/* After fork, in the child: state was wiped, this begins it anew. */
void start_child(void);

/* quick_exit(3) begins: its status, for when its handlers have run. */
void start_quick_exit(int status);

/* Is this process profiled, and are we not in a vfork child of it? */
bool start_active(void);

/* May we make no system call but the program's own?  Its children neither. */
bool start_boxed(void);

#endif
