/*
 * Context: T.  Counts child processes that share our memory and run beside us.
 */
#ifndef CLONE_VM_H
#define CLONE_VM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * clone(2) with CLONE_VM and without CLONE_THREAD, or vfork(2), makes such a
 * child.  To the kernel it is a process of its own, to which our clocks do not
 * belong.  It cannot have a state of ours either, because that is in the memory
 * that it shares.  So its time is counted nowhere, and LOSS_SHARED_MEMORY says
 * so.  Most of these children exec at once and count from there on; they are no
 * loss.
 */

/*
 * Arranges that clone() runs *fn with *argument in the child after the child
 * has been counted.  Uses the top of the child's stack.  Returns the stack to
 * give to clone().
 */
void *clone_vm_prepare(int (**fn)(void *), void **argument, void *stack);

/*
 * Counts a child that vfork made and that used CPU time.  The child calls it at
 * its end.
 */
void clone_vm_exit(void);

/*
 * Does the same before an exec; for a child of clone() that used next to no CPU
 * time, takes the count back.  Returns whether it took one back; if the exec
 * fails then, call clone_vm_exec_failed().
 */
bool clone_vm_exec(void);
void clone_vm_exec_failed(void);

#endif
