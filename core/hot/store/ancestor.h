/*
 * Context: S.  Losses of a process without a file, counted in an ancestor's
 * file.
 */
#ifndef ANCESTOR_H
#define ANCESTOR_H

#include "base/state.h"

/*
 * Lets the fork children of this process write to the header of its file, for
 * the functions below.  Costs one system call, and a page table entry in each
 * child.  Does nothing without a file.
 */
void ancestor_share_header(void);

/*
 * Moves the header that this process inherited elsewhere if it lies at `base`,
 * where the caller is about to map something else.  Returns false if it is
 * still there.  A fork child calls it before it starts anything.
 */
bool ancestor_move_header(const void *base);

/*
 * Counts LOSS_CHILD_FILE once in the ancestor's file.  The caller could not
 * create the file of this process, at the first attempt or a later one.
 */
void ancestor_count_no_file(void);

/* Takes that count back, because a later attempt has created the file. */
void ancestor_uncount_no_file(void);

/*
 * Moves the losses of this process to the ancestor's file.  Returns false if
 * there is none: the losses stay.
 */
bool ancestor_move_losses(void);

/*
 * Takes one loss of kind `which` back from the ancestor's file, after
 * ancestor_move_losses() has moved it there.
 */
void ancestor_uncount_loss(enum loss which);

/*
 * Returns true for an address in the ancestor's header whose page is gone
 * because somebody truncated the file; puts private memory in its place.
 */
bool ancestor_repair_page(const void *address);

#endif
