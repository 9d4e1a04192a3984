/* Context: S.  The call path of an allocation, remembered; see recall.h. */
#include "recall.h"

#include "recalllook.h"
#include "recallname.h"
#include "recallpath.h"
#include "str.h"

void
recall_lay_out(struct recall *r, void *room, uint64_t random)
{
	r->frame = room;
	r->fresh = r->frame + config.depth;
	r->word = (struct recall_word *)(r->fresh + config.depth);
	r->walked = (uint64_t *)(r->word + RECALL_WORDS * config.depth);
	recallpath_begin(r, random);
}

size_t
recall_bytes(void)
{
	return config.depth * (2 * sizeof(struct recall_frame) +
	    RECALL_WORDS * sizeof(struct recall_word) + sizeof(uint64_t));
}

/* A handler may leave this: then all is forgotten once more. */
__attribute__((cold, noinline)) void
recall_forget(struct recall *r)
{
	const unsigned now = atomic_load(&mon->text_generation);

	recall_empty(r);
	mem_zero(r->known, sizeof r->known);
	recallpath_forget(r);
	atomic_signal_fence(memory_order_seq_cst);
	r->text_generation = now;
}

/* Not as it went on before: frames are others than those looked at last. */
static __attribute__((noinline)) uint32_t
look_again(struct lane *l, const struct heap_from *from,
    const struct recall_stack *stack)
{
	struct recall *r = &l->recall;
	struct recall_look k;

	k.r = r;
	k.rows = rows_now();
	k.stack = *stack;
	recall_begin(&r->fresh[0], from);
	if (!recall_look(&k))
		return 0;
	recall_take_on(&k);
	if (!recallpath_find(r, stack)) {
		r->heap = recall_name(l, r);
		if (r->heap != 0)
			recallpath_learn(r);
	}
	return r->heap;
}

/* The caller, and nobody beyond. */
static uint32_t
caller_known(struct lane *l, const struct heap_from *from)
{
	const uint32_t node = recall_below(l, l->root, from->pc);

	return node == 0 ? 0 : recall_below(l, node, RECALL_HEAP);
}

uint32_t
recall_again(struct lane *l, const struct heap_from *from)
{
	struct recall *r = &l->recall;
	struct recall_stack stack;

	return recall_is_of_now(r) &&
	    recall_stack_of(slot_self, from->sp, &stack) ?
	    recallpath_again(r, from, &stack) : 0;
}

uint32_t
recall_known(struct lane *l, const struct heap_from *from)
{
	struct recall *r = &l->recall;
	struct recall_stack stack;
	uint32_t heap;

	if (!recall_is_of_now(r))
		return 0;
	if (config.stack == FORMAT_STACK_OFF)
		return caller_known(l, from);
	if (!recall_stack_of(slot_self, from->sp, &stack))
		return 0;
	heap = r->last == 0 ? 0 : recallpath_follow(r, from, &stack);
	return heap != 0 ? heap : look_again(l, from, &stack);
}
