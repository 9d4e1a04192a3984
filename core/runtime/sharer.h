/* Context: T.  Child processes that run beside us in our memory. */
#ifndef SHARER_H
#define SHARER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Such a child is made by clone(2) with CLONE_VM and without CLONE_THREAD, or by
 * vfork(2).  It is a process of its own to the kernel, whose clocks are none of
 * ours, and it cannot have a state of ours: that is in the memory that it
 * shares.  So its time is counted nowhere, and LOSS_SHARED_MEMORY says so.  Most
 * of them exec at once, and count from there on: these are left out.
 */

/*
 * Arranges that clone() runs *fn with *argument in the child, behind a count of
 * it.  Uses the top of the child's stack.  Returns the stack to give to clone().
 */
void *sharer_prepare(int (**fn)(void *), void **argument, void *stack);

/* At the end of one: counts it if vfork made it, and it used CPU time. */
void sharer_ends(void);

/*
 * Before an exec: does the same, and takes the count of another back if that
 * used next to no CPU time.  Returns whether it took one back: sharer_stays()
 * belongs behind an exec that failed then.
 */
bool sharer_leaves(void);
void sharer_stays(void);

#endif
