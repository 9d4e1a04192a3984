/*
 * Context: S.  How a thread goes on from the path of one allocation to that of the
 * next.  Mostly as it did the time before: then its stack says so, without a look
 * at tables.
 */
#ifndef RECALLNEXT_H
#define RECALLNEXT_H

#include "recallframe.h"

void recallnext_begin(struct recall *r);
void recallnext_forget(struct recall *r);

/* From the last call, of a known path.  Its path, which is the last now; 0: not
 * as it ever did. */
uint32_t recallnext_follow(struct recall *r, const struct heap_from *from,
    const struct recall_stack *stack);

/*
 * What the next call needs comes into the cache while the program runs.  Last of
 * all: a processor that has much under way leaves it (gcc's cc1: 37 ns of 117).
 */
void recallnext_fetch(struct recall *r);

/* From that path it went on to the one that is the last now, with so many of its
 * frames. */
void recallnext_learn(struct recall *r, uint32_t from, uint32_t kept);

#endif
