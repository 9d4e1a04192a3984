/*
 * Context: S.  Finds the node of the call tree that stands for the callers of a
 * sample.  record.c and kernel_samples.c use it, with the thread's ticks kept
 * out of the slot; the path cache of allocations (core/hot/heap_paths) uses the
 * last three functions.  The store is ready.
 */
#ifndef TICK_PATH_H
#define TICK_PATH_H

#include "unwind/stack_walk.h"

/*
 * Returns the index of the node for the callers of the tick under way; the tick
 * is counted below it.  The thread of s has a record.  Only the tick's own
 * thread calls it with `now`, because it walks the stack in place.  now: the
 * thread is still at the place that is counted.  Returns the root if no stacks
 * are kept, a node that says why if the callers are unknown, or 0 if there is
 * no room.  It walks the stack once a tick.
 */
uint32_t tick_path_node(struct thread_slot *s, bool now);

/* A place where the thread was, with the end of its stack as it was then. */
#define TICK_PATH_STACK_WORDS	256u
struct tick_path_entry {
	struct stack_walk_start from;
	uint64_t stack[TICK_PATH_STACK_WORDS];
};

/*
 * Returns a buffer of the slot for such a place, valid until the next call, or
 * NULL if there is no memory or no use for it.  `busy` is held.
 */
struct tick_path_entry *tick_path_entry(struct thread_slot *s);

/*
 * Returns the index of the node for the callers of a place where the thread
 * was, or where it sleeps.  inside: the place itself is a caller, too, because
 * the thread entered the kernel there.  from: NULL if the place is not known.
 * Returns as tick_path_node() does; walks the stack at each call.
 */
uint32_t tick_path_of_place(struct thread_slot *s,
    const struct stack_walk_start *from, bool inside);

/*
 * Walks the stack from `from` as stack_walk() does, and once more if the walk
 * met code that only a newer reading of the memory map knows.  frames: room for
 * `room` frames, filled from the innermost one.  Returns their number; 0: the
 * place has no caller.
 */
unsigned tick_path_callers(struct thread_slot *s,
    const struct stack_walk_start *from, uint64_t *frames, unsigned room);

/*
 * Returns the node of a frame, encoded as in stack_walk.h, below the node
 * `parent` of its callers, or NULL if there is no room.
 */
struct format_node *tick_path_add_frame(uint32_t parent, uint64_t frame);

/*
 * Returns the index of the node of the caller with return address pc below
 * `parent`, in the store mapped at `base`.  Makes no node.  Returns 0 if the
 * code or the node is not known.
 */
uint32_t tick_path_find_known(const unsigned char *base, uint32_t parent,
    uintptr_t pc);

#endif
