/*
 * Context: S.  Counts losses of a process that has no file in the file of an
 * ancestor.
 */
#ifndef ANCESTOR_H
#define ANCESTOR_H

#include "base/state.h"

/*
 * Lets the fork children of this process write to the header of its file, for
 * the functions below.  Costs one system call, and a page table entry in each
 * child.  Does nothing if there is no file.
 */
void ancestor_share_header(void);

/*
 * Moves the header that this process inherited to another address if it lies at
 * `base`, where the caller is about to map something else.  Returns false if it
 * is still there.  A fork child calls it before it starts anything.
 */
bool ancestor_move_header(const void *base);

/*
 * Counts one LOSS_CHILD_FILE in the ancestor's file, unless that was done
 * before: the caller could not create the file of this process.
 */
void ancestor_count_no_file(void);

/* Takes that count back, because a later attempt has created the file. */
void ancestor_uncount_no_file(void);

/*
 * Moves the losses of this process to the ancestor's file.  Returns false if
 * there is no such file; the losses stay then.
 */
bool ancestor_move_losses(void);

/*
 * Takes one loss of kind `which` back from the ancestor's file, after
 * ancestor_move_losses() has moved it there.
 */
void ancestor_uncount_loss(enum loss which);

/*
 * Returns whether the address lies in the ancestor's header.  The caller has
 * met a fault there, because another program truncated the file; private memory
 * takes the place of the page.  Returns false if that failed.
 */
bool ancestor_repair_page(const void *address);

#endif
