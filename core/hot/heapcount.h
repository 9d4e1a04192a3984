/*
 * Context: S.  Allocations counted, by the thread that makes them; doc/internals.md,
 * section 22.
 */
#ifndef HEAPCOUNT_H
#define HEAPCOUNT_H

#include "blocks.h"
#include "lane.h"

/*
 * Around all that a call does, the real function too.  NULL: it is not counted,
 * and if it should be the loss is.
 */
struct lane *heapcount_enter(const struct heap_from *from);
void heapcount_leave(struct lane *l);

/* A block was given out; resized: in place of another. */
void heapcount_block(struct lane *l, uintptr_t at, uint64_t bytes,
    const struct heap_from *from, bool resized);

/* It is about to be freed. */
void heapcount_end(struct lane *l, uintptr_t at);

/*
 * The same in two steps, where it is not known yet: taken from the table, and
 * its end counted, or put back.  False: nobody knows it.
 */
bool heapcount_take(struct lane *l, uintptr_t at, struct block *b);
void heapcount_ended(struct lane *l, const struct block *b);
void heapcount_put_back(struct lane *l, uintptr_t at, const struct block *b);

#endif
