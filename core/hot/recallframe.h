/* Context: S.  A frame of the call under way, and one of the last call. */
#ifndef RECALLFRAME_H
#define RECALLFRAME_H

#include "lane.h"
#include "memory.h"

/* The stack of the calling thread, as far as a walk may load from it. */
struct recall_stack {
	uintptr_t low, high;
};

/* False: it runs on another, or on one that nobody knows. */
static inline bool
recall_stack_of(const struct slot *s, uintptr_t sp, struct recall_stack *stack)
{
	if (s == NULL || sp >= s->stack_high || (sp < s->stack_low &&
	    (!s->stack_grows || s->stack_high - sp > MEMORY_GROWS)))
		return false;
	stack->low = sp;
	stack->high = s->stack_high;
	return true;
}

/* The innermost. */
void recall_begin(struct recall_frame *f, const struct heap_from *from);

/*
 * One step out, by a row that says where the words are that tell the caller.
 * False: only a search tells; of an outermost frame there is none.
 */
bool recall_step(struct recall_frame *f, uint64_t row,
    const struct recall_stack *s, struct recall_frame *caller);

/* By what it, or a caller of it, is found. */
uint64_t recall_needs(const struct recall_frame *f, uint64_t of_caller);

/* Below those that are kept already; of no node yet. */
void recall_keep(struct recall *r, const struct recall_frame *fresh);

/* Number n or one further out, that the word leads out of. */
unsigned recall_frame_of(const struct recall *r, unsigned n,
    const struct recall_word *w);

/* Returns a word of the stack, or 0, which leads nowhere, if it is unmapped. */
static inline uintptr_t
recall_load(uintptr_t at)
{
	return arch_load(at);
}

/* g: of the last call. */
static inline bool
recall_is_same(const struct recall_frame *f, const struct recall_frame *g)
{
	return f->sp == g->sp && f->pc == g->pc &&
	    ((g->needs & RECALL_FP) == 0 || f->fp == g->fp);
}

/* The frame pointer of a frame in that of its caller, whatever needs it. */
static inline void
recall_carry(const struct recall_frame *f, struct recall_frame *g)
{
	g->fp = f->fp_at != 0 ? recall_load(f->fp_at) : f->fp;
}

/*
 * From which frame on do the words of the stack lead elsewhere than they did,
 * on the way out from number n?  0: from none.
 */
static inline unsigned
recall_broken_at(const struct recall *r, unsigned n)
{
	const struct recall_word *w = r->word + r->frame[n].words;

	while (w > r->word)
		if (w--, recall_load(w->at) != w->value)
			return recall_frame_of(r, n, w);
	return 0;
}

#endif
