/*
 * Context: S.  Counts losses of a process that has no file in the file of an
 * ancestor.  precreate.c shares the header; the making of a file, the seal,
 * exec, a fork child (alloc_thread.c) and the handler of memory faults call the
 * rest.  Only the first two functions and the last one make system calls.
 */
#ifndef ANCESTOR_H
#define ANCESTOR_H

#include "base/state.h"

/*
 * Lets the fork children of this process write to the header of its file, for
 * the functions below.  Costs one system call, and a page table entry in each
 * child.  Does nothing if there is no file, or if it was done before.
 */
void ancestor_share_header(void);

/*
 * Moves the header that this process inherited to another address if it lies at
 * `base`, where the caller is about to map something else.  Returns false if it
 * could not be moved.  A fork child calls it before it starts anything.
 */
bool ancestor_move_header(const void *base);

/*
 * Counts one LOSS_CHILD_FILE in the ancestor's file, if there is one, unless
 * that was done before: the caller could not create the file of this process.
 */
void ancestor_count_no_file(void);

/* Takes that count back, because a later attempt has created the file. */
void ancestor_uncount_no_file(void);

/*
 * Moves the losses of this process, which has no file, from mon->early to the
 * ancestor's file.  Returns false if there is no such file; the losses stay
 * then.
 */
bool ancestor_move_losses(void);

/*
 * Takes one loss of kind `which` back from the ancestor's file, after
 * ancestor_move_losses() has moved it there.  An exec that failed calls it.
 */
void ancestor_uncount_loss(enum loss which);

/*
 * Puts private memory in place of the page of the ancestor's header that holds
 * the address.  The caller has met a fault there, because another program
 * truncated the file.  Returns false if the address is not in such a header, or
 * if there is no memory.  fault_handler() calls it, in any thread.
 */
bool ancestor_repair_page(const void *address);

#endif
