/* Context: S.  A frame of the call under way, and one of the last call. */
#ifndef PATH_CACHE_FRAME_H
#define PATH_CACHE_FRAME_H

#include "heap/alloc_thread.h"
#include "unwind/stack_read.h"

/* The stack of the calling thread, as far as a walk may load from it. */
struct path_cache_stack {
	uintptr_t low, high;
};

/* False: it runs on another, or on one that nobody knows. */
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

/* The innermost. */
void path_cache_frame_init(struct path_cache_frame *f,
    const struct alloc_caller *from);

/*
 * One step out, by a row that says where the words are that tell the caller.
 * False: only a search tells; of an outermost frame there is none.
 */
bool path_cache_frame_step(struct path_cache_frame *f, uint64_t row,
    const struct path_cache_stack *s, struct path_cache_frame *caller);

/* By what it, or a caller of it, is found. */
uint64_t path_cache_frame_needs(const struct path_cache_frame *f,
    uint64_t of_caller);

/* Below those that are kept already; of no node yet. */
void path_cache_frame_append(struct path_cache *r,
    const struct path_cache_frame *fresh);

/* Number n or one further out, that the word leads out of. */
unsigned path_cache_frame_of_word(const struct path_cache *r, unsigned n,
    const struct path_cache_word *w);

/* Returns a word of the stack, or 0, which leads nowhere, if it is unmapped. */
static inline uintptr_t
path_cache_frame_load(uintptr_t at)
{
	return arch_load_or_zero(at);
}

/* g: of the last call. */
static inline bool
path_cache_frame_equal(const struct path_cache_frame *f,
    const struct path_cache_frame *g)
{
	return f->sp == g->sp && f->pc == g->pc &&
	    ((g->needs & PATH_CACHE_FP) == 0 || f->fp == g->fp);
}

/* The frame pointer of a frame in that of its caller, whatever needs it. */
static inline void
path_cache_frame_set_fp(const struct path_cache_frame *f,
    struct path_cache_frame *g)
{
	g->fp = f->fp_at != 0 ? path_cache_frame_load(f->fp_at) : f->fp;
}

/*
 * From which frame on do the words of the stack lead elsewhere than they did,
 * on the way out from number n?  0: from none.
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
