/*
 * Context: S.  The paths of a thread's allocations.  Mostly it goes on from one
 * as it did the time before: then its stack says so, without a look at tables.
 */
#ifndef RECALLPATH_H
#define RECALLPATH_H

#include "recallframe.h"

void recallpath_begin(struct recall *r, uint64_t random);
void recallpath_forget(struct recall *r);

static inline struct recall_path *
recallpath_at(const struct recall *r, uint32_t line)
{
	return (struct recall_path *)(r->lines + (size_t)line * RECALL_LINE);
}

/* Its sp is not asked twice: a fork by a handler may wipe it in between. */
static inline uint64_t
recallpath_sum(const struct recall *r, const struct recall_path *p,
    uintptr_t sp, uintptr_t fp)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < p->words; i++)
		sum += r->odd[i] * recall_load(sp + p->at[i] * 8u);
	if ((p->needs & RECALL_FP) != 0)
		sum += r->odd[RECALL_SUMMED] * fp;
	return sum;
}

static inline bool
recallpath_is(const struct recall *r, const struct recall_path *p,
    const struct heap_from *from, const struct recall_stack *stack)
{
	return p->sp == from->sp && p->pc == from->pc &&
	    (p->needs & RECALL_NO_SUM) == 0 &&
	    from->sp + p->high * 8u < stack->high &&
	    recallpath_sum(r, p, from->sp, from->fp) == p->sum;
}

/* Returns the call's path if it is the last call's, else 0. */
static inline uint32_t
recallpath_again(const struct recall *r, const struct heap_from *from,
    const struct recall_stack *stack)
{
	const struct recall_path *p = recallpath_at(r, r->last);

	return r->last != 0 && recallpath_is(r, p, from, stack) ? p->heap : 0;
}

/*
 * Returns the call's path if it is one that came after the last call's before,
 * and makes it the last one; else 0.
 */
uint32_t recallpath_follow(struct recall *r, const struct heap_from *from,
    const struct recall_stack *stack);

/*
 * What the next call needs comes into the cache while the program runs.  Last
 * of all: a processor that has much under way leaves it (gcc's cc1: 37 ns of
 * 117).
 */
void recallpath_fetch(struct recall *r);

/* The path of the frames that were taken on, in r->heap; false: not known. */
bool recallpath_find(struct recall *r, const struct recall_stack *stack);

/* ... now it is: r->heap. */
void recallpath_learn(struct recall *r);

/* The frames that lead to it, and one more. */
static inline uint64_t
recallpath_longer(uint64_t frames, uintptr_t pc)
{
	const unsigned __int128 n = (unsigned __int128)
	    (frames ^ 0x9e3779b97f4a7c15u) * (pc ^ 0xd1b54a32d192ed03u);

	return (uint64_t)n ^ (uint64_t)(n >> 64);
}

#endif
