/*
 * Context: S.  Goes through the alloc_threads of all threads, for an order that
 * makes the process forget its live blocks.  Only live_control.c calls it, with
 * mon->taking held.
 */
#ifndef ALLOC_THREAD_LIST_H
#define ALLOC_THREAD_LIST_H

#include "base/state.h"
#include "heap/alloc_thread.h"

/*
 * Moves all alloc_threads from one table of blocks to another.  The stubs that
 * count only chosen blocks need this, because they look up the table before any
 * call is counted.  An alloc_thread in the middle of a call keeps its table, so
 * that the block which the call gives out is forgotten with the rest.  Such
 * alloc_threads, and those made meanwhile, change at their next call.
 */
void alloc_thread_list_switch(struct live_block_table *from,
    struct live_block_table *to);

/*
 * Returns whether a thread is still in the middle of a call that began before
 * order number `forgot_by` had the process forget its blocks.
 */
bool alloc_thread_list_is_stale(uint32_t forgot_by);

#endif
