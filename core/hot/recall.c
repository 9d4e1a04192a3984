/* Context: S.  The call path of an allocation, remembered; see recall.h. */
#include "recall.h"

#include "recalllook.h"
#include "recallname.h"
#include "recallnext.h"
#include "str.h"

void
recall_lay_out(struct recall *r, void *room)
{
	r->frame = room;
	r->fresh = r->frame + config.depth;
	r->word = (struct recall_word *)(r->fresh + config.depth);
	r->walked = (uint64_t *)(r->word + RECALL_WORDS * config.depth);
	recallnext_begin(r);
}

size_t
recall_bytes(void)
{
	return config.depth * (2 * sizeof(struct recall_frame) +
	    RECALL_WORDS * sizeof(struct recall_word) + sizeof(uint64_t));
}

void
recall_forget(struct recall *r)
{
	r->text_generation = atomic_load(&mon->text_generation);
	recall_empty(r);
	mem_zero(r->known, sizeof r->known);
	recallnext_forget(r);
}

/* The frames that are new, below those that are kept.  False: some are not known. */
static bool
name_nodes(struct lane *l, struct recall_look *k)
{
	struct recall *r = k->r;
	uint32_t node = k->kept == 0 ? l->root : r->frame[k->kept - 1].node;
	uint64_t by = k->kept == 0 ? 0 : r->frame[k->kept - 1].needs;
	unsigned i;

	for (i = k->fresh; i > 0; i--) {
		struct recall_frame *f = &r->fresh[i - 1];

		node = recall_below(r, node, f->pc);
		if (node == 0)
			return false;
		f->node = node;
		by = f->needs = recall_needs(f, by);
	}
	return true;
}

static void
keep(struct recall_look *k)
{
	k->r->count = k->kept;
	while (k->fresh > 0) {
		const struct recall_frame *f = &k->r->fresh[--k->fresh];

		recall_keep(k->r, f, f->node);
	}
}

/* Not as the last one: some frames are others, or those of a call between. */
static __attribute__((noinline)) uint32_t
look_again(struct lane *l, const struct heap_from *from,
    const struct recall_stack *stack)
{
	struct recall *r = &l->recall;
	const uint32_t last = r->heap;
	struct recall_look k;

	k.r = r;
	k.rows = rows_now();
	k.stack = *stack;
	recall_begin(&r->fresh[0], from);
	if (!recall_look(&k) || !name_nodes(l, &k))
		return 0;
	keep(&k);
	r->heap = r->count == 0 ? 0 : recall_below(r,
	    r->frame[r->count - 1].node, RECALL_HEAP);
	recallnext_learn(r, last, k.kept);
	return r->heap;
}

/* Is it the last call once more, frame by frame? */
static inline bool
is_again(const struct recall *r, const struct heap_from *from)
{
	const struct recall_frame *f = &r->frame[r->count - 1];

	return f->sp == from->sp && f->pc == from->pc &&
	    ((f->needs & RECALL_FP) == 0 || f->fp == from->fp) &&
	    ((f->needs & RECALL_BASE) == 0 || f->base == from->base) &&
	    recall_broken_at(r, r->count - 1) == 0;
}

/* The caller, and nobody beyond. */
static uint32_t
caller_known(struct lane *l, const struct heap_from *from)
{
	const uint32_t node = recall_below(&l->recall, l->root, from->pc);

	return node == 0 ? 0 : recall_below(&l->recall, node, RECALL_HEAP);
}

uint32_t
recall_again(struct lane *l, const struct heap_from *from)
{
	struct recall *r = &l->recall;
	struct recall_stack stack;

	return r->heap != 0 && recall_is_of_now(r) &&
	    recall_stack_of(slot_self, from->sp, &stack) &&
	    is_again(r, from) ? r->heap : 0;
}

uint32_t
recall_known(struct lane *l, const struct heap_from *from)
{
	struct recall *r = &l->recall;
	struct recall_stack stack;

	if (!recall_is_of_now(r))
		return 0;
	if (config.stack == FORMAT_STACK_OFF)
		return caller_known(l, from);
	if (!recall_stack_of(slot_self, from->sp, &stack))
		return 0;
	if (r->heap != 0 && recallnext_follow(r, from, &stack) != 0)
		return r->heap;
	return look_again(l, from, &stack);
}
