/*
 * Context: T.  Counts, as a loss, child processes that run in the caller's
 * memory.  The hook of clone(2) calls clone_vm_prepare() in the parent; the
 * hook of _exit(2) and exec_image.c call the rest, in the child.
 */
#ifndef CLONE_VM_H
#define CLONE_VM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * clone(2) with CLONE_VM and without CLONE_THREAD, or vfork(2), makes such a
 * child.  To the kernel it is a process of its own, to which the clocks of
 * libmon do not belong.  The child cannot have libmon's state for itself
 * either, because that is in the memory that it shares.  So its time is counted
 * nowhere, and LOSS_SHARED_MEMORY reports that.  Most of these children exec at
 * once and count from there on; they are no loss.
 */

/*
 * Arranges that clone() runs *fn with *argument in the child after the child
 * has been counted: replaces both, and writes to the top of the child's stack,
 * `stack`.  Returns the stack to pass to clone().
 */
void *clone_vm_prepare(int (**fn)(void *), void **argument, void *stack);

/*
 * Counts the calling child, made by vfork or clone, if it is not counted yet
 * and used more than 4 ms of CPU time.  The child calls it at its end; in other
 * processes and in a frozen one it does nothing.
 */
void clone_vm_exit(void);

/*
 * Does what clone_vm_exit() does, before an exec.  If clone() made the child
 * and it used no more than 4 ms of CPU time, takes the count back and returns
 * true; if the exec fails then, the caller calls clone_vm_exec_failed().  Not
 * for a process behind a seccomp filter.
 */
bool clone_vm_exec(void);

/* Counts a child again whose exec has failed. */
void clone_vm_exec_failed(void);

#endif
