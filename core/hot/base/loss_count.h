/*
 * Context: S.  Counts losses, in the profile file or until there is one.  All
 * of the target calls it, also in a frozen process and in a vfork child: it
 * makes no system call.
 */
#ifndef LOSS_COUNT_H
#define LOSS_COUNT_H

#include "loss.h"

#include <stdint.h>

struct format_header;

/*
 * Counts n more losses of a kind, in the file if there is one, else in
 * mon->early, which moves to the file later.  `mon` is not NULL.  Any thread
 * and any signal handler may call it.
 */
void loss_count(enum loss which, uint64_t n);

/*
 * Moves the losses that were counted while there was no file to the header h,
 * after the store has become ready or before it is sealed.  Any thread and any
 * signal handler may call it.
 */
void loss_count_move_early(struct format_header *h);

#endif
