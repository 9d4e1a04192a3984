/*
 * Context: S.  Frames of the call under way, and of the last call that was
 * looked at: one step from a frame to its caller, and comparison of both.
 */
#ifndef PATH_CACHE_FRAME_H
#define PATH_CACHE_FRAME_H

#include "heap/alloc_thread.h"
#include "unwind/stack_read.h"

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
	if (s == NULL || sp >= s->stack_high || (sp < s->stack_low &&
	    (!s->stack_grows || s->stack_high - sp > STACK_READ_GROWTH)))
		return false;
	stack->low = sp;
	stack->high = s->stack_high;
	return true;
}

/* Fills *f as the innermost frame of the call. */
void path_cache_frame_init(struct path_cache_frame *f,
    const struct alloc_caller *from);

/*
 * Steps from frame f to its caller, by an unwind rule that says which words of
 * the stack lead there; notes in *f where these words are.  row: a rule as in
 * unwind_cache.h.  Returns false if only a search can find the caller, or if f
 * is the outermost frame.
 */
bool path_cache_frame_step(struct path_cache_frame *f, uint64_t row,
    const struct path_cache_stack *s, struct path_cache_frame *caller);

/*
 * Returns the flags `needs` of frame f, given those of its caller:
 * PATH_CACHE_FP if f or one of its callers is found by the frame pointer that f
 * has.
 */
uint64_t path_cache_frame_needs(const struct path_cache_frame *f,
    uint64_t of_caller);

/*
 * Appends a frame to the frames of the last call, as the next inner one, with
 * the words that lead from it to its caller.  It has no node yet.
 */
void path_cache_frame_append(struct path_cache *r,
    const struct path_cache_frame *fresh);

/*
 * Returns the number of the frame from which word w leads to its caller: n, or
 * one further out.
 */
unsigned path_cache_frame_of_word(const struct path_cache *r, unsigned n,
    const struct path_cache_word *w);

/* Returns a word of the stack, or 0, which leads nowhere, if it is unmapped. */
static inline uintptr_t
path_cache_frame_load(uintptr_t at)
{
	return arch_load_or_zero(at);
}

/*
 * Returns whether frame f of this call is the same as frame g of the last one.
 */
static inline bool
path_cache_frame_equal(const struct path_cache_frame *f,
    const struct path_cache_frame *g)
{
	return f->sp == g->sp && f->pc == g->pc &&
	    ((g->needs & PATH_CACHE_FP) == 0 || f->fp == g->fp);
}

/*
 * Sets the frame pointer of g, the caller of f, whether or not anything needs
 * it.
 */
static inline void
path_cache_frame_set_fp(const struct path_cache_frame *f,
    struct path_cache_frame *g)
{
	g->fp = f->fp_at != 0 ? path_cache_frame_load(f->fp_at) : f->fp;
}

/*
 * Compares the words of the stack that lead outward from frame number n with
 * what they were.  Returns the number of the first frame, on the way out, whose
 * words have changed; 0 if none have.
 */
static inline unsigned
path_cache_frame_changed(const struct path_cache *r, unsigned n)
{
	const struct path_cache_word *w = r->word + r->frame[n].words;

	while (w > r->word)
		if (w--, path_cache_frame_load(w->at) != w->value)
			return path_cache_frame_of_word(r, n, w);
	return 0;
}

#endif
