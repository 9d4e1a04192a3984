/* Context: S.  Losses of a process without a file, in an ancestor's. */
#ifndef ANCESTOR_H
#define ANCESTOR_H

#include "state.h"

/*
 * Lets the fork children of this process store into the header of its file, for
 * the calls below.  A system call, and a page table entry in each child.  Does
 * nothing without a file.
 */
void ancestor_share(void);

/*
 * The file of this process could not be created, for the first time or again:
 * counts LOSS_CHILD_FILE once in the ancestor's.
 */
void ancestor_tell_none(void);

/* It could in the end: takes that back. */
void ancestor_tell_file(void);

/* Moves what this process lost to the ancestor's file, if it has one. */
void ancestor_tell_losses(void);

/*
 * Returns true for an address in the ancestor's header that is not there any
 * more, as somebody truncated the file, and puts private memory in its place.
 */
bool ancestor_taken(const void *address);

#endif
