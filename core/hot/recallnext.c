/* Context: S.  How a thread goes on; see recallnext.h. */
#include "recallnext.h"

#include "str.h"

#define WAYS	2u		/* beside each other */

static struct recall_next *
next_of(const struct recall *r, uint32_t heap)
{
	return &r->next[heap * 0x9e3779b1u >> 16 & r->next_mask & ~(WAYS - 1)];
}

static size_t
bytes_of(uint32_t mask)
{
	return (mask + (size_t)1) * sizeof(struct recall_next);
}

void
recallnext_begin(struct recall *r)
{
	r->next = r->next_least;
	r->next_mask = RECALL_NEXT_LEAST - 1;
}

void
recallnext_forget(struct recall *r)
{
	mem_zero(r->next, bytes_of(r->next_mask));
}

void
recallnext_fetch(struct recall *r)
{
	r->fetched = r->heap;
	mem_fetch(next_of(r, r->heap), WAYS * sizeof(struct recall_next));
}

static void
take_on(struct recall *r, const struct recall_next *t)
{
	uint64_t by = r->frame[t->kept - 1].needs;
	uint32_t i;

	r->count = t->kept;
	for (i = t->hops; i > 0; i--) {
		struct recall_frame *f = &r->fresh[i - 1];

		by = f->needs = recall_needs(f, by);
		recall_keep(r, f, t->node[i - 1]);
	}
	r->heap = t->heap;
}

/* Do the frames lead so, and is all the same beyond? */
static bool
leads(struct recall *r, const struct recall_next *t,
    const struct heap_from *from, const struct recall_stack *stack)
{
	struct recall_frame *at = r->fresh;
	uint32_t i;

	if (t->from != r->heap || t->pc[0] != from->pc || t->kept > r->count)
		return false;
	recall_begin(at, from);
	for (i = 0; i < t->hops; i++, at++)
		if (at->pc != t->pc[i] || !recall_step(at, t->row[i], stack,
		    at + 1))
			return false;
	return recall_is_same(at, &r->frame[t->kept - 1]) &&
	    recall_broken_at(r, t->kept - 1) == 0;
}

uint32_t
recallnext_follow(struct recall *r, const struct heap_from *from,
    const struct recall_stack *stack)
{
	const struct recall_next *t = next_of(r, r->heap);
	uint32_t i;

	for (i = 0; i < WAYS; i++, t++) {
		if (!leads(r, t, from, stack))
			continue;
		take_on(r, t);
		return r->heap;
	}
	return 0;
}

/* A handler may leave this, too: what is not used any more goes last. */
static void
widen(struct recall *r)
{
	const uint32_t before = r->next_mask, mask = (before + 1) * 4 - 1;
	struct recall_next *t, *old = r->next;

	if (mask >= RECALL_NEXT_MOST || atomic_load(&mon->frozen))
		return;
	t = sys_memory(bytes_of(mask));
	if (t == NULL)
		return;
	sys_madvise(t, bytes_of(mask), MADV_WIPEONFORK);
	r->next = t;
	atomic_signal_fence(memory_order_seq_cst);
	r->next_mask = mask;
	atomic_signal_fence(memory_order_seq_cst);
	if (old != r->next_least)
		sys_munmap(old, bytes_of(before));
}

/* The one that gives way is any of them. */
static struct recall_next *
room_for(struct recall *r, uint32_t from)
{
	struct recall_next *t = next_of(r, from);

	if (t[0].from == 0)
		return &t[0];
	if (t[1].from == 0)
		return &t[1];
	if (++r->clashes % (r->next_mask + 1) == 0) {
		widen(r);
		t = next_of(r, from);
	}
	return &t[r->clashes % WAYS];
}

/* A handler may leave this by siglongjmp(): `from` says that all is there. */
void
recallnext_learn(struct recall *r, uint32_t from, uint32_t kept)
{
	struct recall_next *t;
	uint32_t i;

	if (from == 0 || kept == 0 || r->heap == 0 ||
	    r->count - kept > RECALL_HOPS)
		return;
	t = room_for(r, from);
	t->from = 0;
	atomic_signal_fence(memory_order_seq_cst);
	t->heap = r->heap;
	t->kept = kept;
	t->hops = r->count - kept;
	for (i = 0; i < t->hops; i++) {
		const struct recall_frame *f = &r->frame[r->count - 1 - i];

		t->pc[i] = f->pc;
		t->row[i] = f->row;
		t->node[i] = f->node;
	}
	atomic_signal_fence(memory_order_seq_cst);
	t->from = from;
}
