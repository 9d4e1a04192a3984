/*
 * Context: T.  Sums up how often each function was called so far, over all
 * threads, from the arcs in the profile, for monitor_calls.c (monitor(3C)) and
 * write_monout.c (format=monout).  Other threads may count meanwhile.
 */
#include "classic/call_totals.h"

#include "base/mmap_area.h"
#include "base/store_header.h"
#include "store/store.h"

/*
 * Returns the block of arcs at an index of the file; NULL for 0.  Its `next`
 * leads to the block that was made before it; the arcs of a block are in the
 * order in which they were made.
 */
static const struct format_arcs *
arc_block_at(uint32_t index)
{
	return index == 0 ? NULL : store_at(index);
}

/* Returns how many arcs the blocks have room for; counts the blocks. */
static uint32_t
count_arc_room(uint32_t newest, uint32_t *blocks)
{
	uint32_t arcs = 0;

	*blocks = 0;
	for (const struct format_arcs *b = arc_block_at(newest); b != NULL;
	    b = arc_block_at(b->next)) {
		arcs += b->room;
		++*blocks;
	}
	return arcs;
}

/* Returns an empty table for `room` functions, or NULL. */
static struct call_totals *
alloc_call_totals(uint32_t room)
{
	uint32_t slots = 16;
	struct call_totals *t;
	size_t bytes;

	while (slots < 2 * (uint64_t)room)
		slots *= 2;
	bytes = sizeof(*t) + room * sizeof(*t->cell) + slots * sizeof(*t->slot);
	t = mmap_area_alloc(bytes);
	if (t == NULL)
		return NULL;
	t->bytes = bytes;
	t->mask = slots - 1;
	t->cell = (void *)(t + 1);
	t->slot = (void *)(t->cell + room);
	return t;
}

static uint32_t *
hash_slot_of_pc(const struct call_totals *t, uintptr_t pc)
{
	uint32_t i = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 32) & t->mask;

	while (t->slot[i] != 0 && t->cell[t->slot[i] - 1].pc != pc)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static void
add_function_calls(struct call_totals *t, uintptr_t pc, uint64_t calls)
{
	uint32_t *slot = hash_slot_of_pc(t, pc);

	if (*slot == 0) {
		t->cell[t->count].pc = pc;
		*slot = ++t->count;
	}
	t->cell[*slot - 1].calls += calls;
}

/* Returns the address in memory of the function that the arc calls. */
static uintptr_t
mapped_function(const struct format_arc *a, uint64_t self)
{
	const struct format_module *m = a->self_module == 0 ? NULL :
	    store_at(a->self_module);

	return (uintptr_t)(self + (m == NULL ? 0 : m->bias));
}

/*
 * Adds the calls of the arcs of a block; an arc without `self` is not made yet.
 */
static void
add_arc_block(struct call_totals *t, const struct format_arcs *b)
{
	for (uint32_t i = 0; i < b->room; i++) {
		uint64_t self = __atomic_load_n(&b->arc[i].self,
		    __ATOMIC_ACQUIRE);

		if (self != 0)
			add_function_calls(t, mapped_function(&b->arc[i], self),
			    __atomic_load_n( &b->arc[i].count,
			    __ATOMIC_RELAXED));
	}
}

/* Returns block n, counted from the oldest of `blocks` blocks. */
static const struct format_arcs *
nth_arc_block(uint32_t n, uint32_t blocks, uint32_t newest)
{
	const struct format_arcs *b = arc_block_at(newest);

	for (; n + 1 < blocks; n++)
		b = arc_block_at(b->next);
	return b;
}

struct call_totals *
call_totals_make(void)
{
	const struct format_header *h = mon == NULL ? NULL : store_header();
	uint32_t newest = h == NULL ? 0 : __atomic_load_n(&h->arcs,
	    __ATOMIC_ACQUIRE);
	uint32_t n, blocks, room = count_arc_room(newest, &blocks);
	struct call_totals *t = alloc_call_totals(room);

	for (n = 0; t != NULL && n < blocks; n++)
		add_arc_block(t, nth_arc_block(n, blocks, newest));
	return t;
}

struct call_totals *
call_totals_add_delta(struct call_totals *sum, struct call_totals *from,
    struct call_totals *to)
{
	uint32_t i, room = (sum == NULL ? 0 : sum->count) +
	    (to == NULL ? 0 : to->count);
	struct call_totals *t = room == 0 ? NULL : alloc_call_totals(room);

	for (i = 0; t != NULL && sum != NULL && i < sum->count; i++)
		add_function_calls(t, sum->cell[i].pc, sum->cell[i].calls);
	for (i = 0; t != NULL && to != NULL && i < to->count; i++)
		add_function_calls(t, to->cell[i].pc, to->cell[i].calls -
		    call_totals_get(from, to->cell[i].pc));
	call_totals_free(sum);
	call_totals_free(from);
	call_totals_free(to);
	return t;
}

void
call_totals_free(struct call_totals *t)
{
	if (t != NULL)
		mmap_area_unmap(t, t->bytes);
}

uint64_t
call_totals_get(const struct call_totals *t, uintptr_t pc)
{
	uint32_t slot = t == NULL ? 0 : *hash_slot_of_pc(t, pc);

	return slot == 0 ? 0 : t->cell[slot - 1].calls;
}
