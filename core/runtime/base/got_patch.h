/*
 * Context: T.  Callers of another allocator led to us; doc/internals.md,
 * section 22.
 *
 * Where another malloc stands before ours, or an allocator has C++'s operators
 * of its own, names are not enough: what objects have bound already is changed,
 * and what the allocator defines, for those that are still to bind.
 */
#ifndef GOT_PATCH_H
#define GOT_PATCH_H

#include <stdbool.h>

/*
 * At the start.  False: it is the program itself that defines malloc, whose
 * calls of it nobody can change, or pages could not be.
 */
bool got_patch_install(void);

#endif
