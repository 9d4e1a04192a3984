/*
 * Context: S.  The frames of the call under way, and those of the last call
 * that was looked at: one step from a frame to its caller, the comparison of
 * both, and the nodes of frames in the alloc_thread's call tree.  path_cache.c
 * and path_cache_table.c use it, in the alloc_thread's thread.
 *
 * For a node, a frame is given as stack_walk.h has it, or as PATH_CACHE_HEAP
 * for a node's format_heap; see path_cache_types.h.
 */
#ifndef PATH_CACHE_FRAMES_H
#define PATH_CACHE_FRAMES_H

#include "heap/alloc_thread.h"
#include "unwind/stack_read.h"
#include "unwind/unwind_cache.h"

/*
 * The addresses of the calling thread's stack that may be read, from `low` up
 * to before `high`.
 */
struct path_cache_stack {
	uintptr_t low, high;
};

/*
 * Fills *stack for a call with stack pointer sp.  Returns false if the thread
 * runs on another stack than its own, or on one whose limits are not known.
 */
static inline bool
path_cache_frame_stack(const struct thread_slot *s, uintptr_t sp,
    struct path_cache_stack *stack)
{
	if (s == NULL || sp >= s->stack.high || (sp < s->stack.low &&
	    (!s->stack.grows || s->stack.high - sp > STACK_READ_GROWTH)))
		return false;
	stack->low = sp;
	stack->high = s->stack.high;
	return true;
}

/*
 * Steps from frame f to its caller, by an unwind rule that says which words of
 * the stack lead there; notes in *f where these words are.  rule: as in
 * unwind_cache.h.  Returns false if only a search can find the caller, or if f
 * is the outermost frame; then *caller is not valid.
 */
bool path_cache_frame_step(struct path_cache_frame *f, uint64_t rule,
    const struct path_cache_stack *s, struct path_cache_frame *caller);

/* Returns a word of the stack, or 0, which leads nowhere, if it is unmapped. */
static inline uintptr_t
path_cache_frame_load(uintptr_t at)
{
	return arch_load_or_zero(at);
}

/* A comparison.  The caller fills r and stack. */
struct path_cache_comparison {
	struct path_cache *r;
	struct path_cache_stack stack;
	struct unwind_cache rules;
	unsigned kept;		/* result: outer frames that are the same */
	unsigned fresh;		/* result: inner frames that are not */
};

/*
 * Compares the frames of the call `from` with those of the last call: steps
 * outward from the innermost one until it meets a frame from which on all is as
 * it was, or the outermost one.  The inner frames are in r->fresh then.
 * Returns false if the call takes a search, or is deeper than depth=.
 */
bool path_cache_frames_compare(struct path_cache_comparison *k,
    const struct alloc_caller *from);

/*
 * Makes the frames of the call that was compared those of the last call.  No
 * path is known for them yet.
 */
void path_cache_frames_keep(struct path_cache_comparison *k);

/*
 * Returns the node of `frame` below `parent`, from the cache or the tree; 0: it
 * is not known.  Makes no node, and no system call.
 */
uint32_t path_cache_nodes_child(struct alloc_thread *l, uint32_t parent,
    uint64_t frame);

/*
 * Returns the index of the format_heap of the call whose frames are in
 * r->frame, or 0 if that or a node of a frame does not exist.  Frames that keep
 * their nodes are not looked up again.
 */
uint32_t path_cache_nodes_find_path(struct alloc_thread *l,
    struct path_cache *r);

/*
 * Returns a node, which is made if it does not exist: path_cache_nodes_add()
 * that of `frame` below `parent`, path_cache_nodes_add_heap() the format_heap
 * below `node`, path_cache_nodes_add_path() the format_heap of the call whose
 * frames are in r->frame, with all nodes above it.  Returns 0 if the file has
 * no room; the caller counts the loss.  r: the cache; NULL, for
 * path_cache_nodes_add() only: remembers nothing.
 */
uint32_t path_cache_nodes_add(struct path_cache *r, uint32_t parent,
    uint64_t frame);
uint32_t path_cache_nodes_add_heap(struct path_cache *r, uint32_t node);
uint32_t path_cache_nodes_add_path(struct alloc_thread *l,
    struct path_cache *r);

#endif
