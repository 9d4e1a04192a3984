/* Context: T.  How often each function was called so far, of all threads. */
#include "tally.h"

#include "region.h"
#include "store.h"

/* Blocks stand newest first, arcs in a block as they were made. */
static const struct format_arcs *
block_at(uint32_t index)
{
	return index == 0 ? NULL : store_at(index);
}

static uint32_t
room_of_all(uint32_t newest, uint32_t *blocks)
{
	const struct format_arcs *b;
	uint32_t arcs = 0;

	*blocks = 0;
	for (b = block_at(newest); b != NULL; b = block_at(b->next)) {
		arcs += b->room;
		++*blocks;
	}
	return arcs;
}

static struct tally *
make(uint32_t room)
{
	uint32_t slots = 16;
	struct tally *t;
	size_t bytes;

	while (slots < 2 * (uint64_t)room)
		slots *= 2;
	bytes = sizeof *t + room * sizeof *t->cell + slots * sizeof *t->slot;
	t = region_memory(bytes);
	if (t == NULL)
		return NULL;
	t->bytes = bytes;
	t->mask = slots - 1;
	t->cell = (void *)(t + 1);
	t->slot = (void *)(t->cell + room);
	return t;
}

static uint32_t *
slot_of_pc(const struct tally *t, uintptr_t pc)
{
	uint32_t i = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 32) & t->mask;

	while (t->slot[i] != 0 && t->cell[t->slot[i] - 1].pc != pc)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static void
add(struct tally *t, uintptr_t pc, uint64_t calls)
{
	uint32_t *slot = slot_of_pc(t, pc);

	if (*slot == 0) {
		t->cell[t->count].pc = pc;
		*slot = ++t->count;
	}
	t->cell[*slot - 1].calls += calls;
}

static uintptr_t
mapped_at(const struct format_arc *a, uint64_t self)
{
	const struct format_module *m = a->self_module == 0 ? NULL :
	    store_at(a->self_module);

	return (uintptr_t)(self + (m == NULL ? 0 : m->bias));
}

static void
add_block(struct tally *t, const struct format_arcs *b)
{
	uint32_t i;

	for (i = 0; i < b->room; i++) {
		uint64_t self = __atomic_load_n(&b->arc[i].self,
		    __ATOMIC_ACQUIRE);

		if (self != 0)
			add(t, mapped_at(&b->arc[i], self), __atomic_load_n(
			    &b->arc[i].count, __ATOMIC_RELAXED));
	}
}

/* The nth oldest of those that were there. */
static const struct format_arcs *
nth_block(uint32_t n, uint32_t blocks, uint32_t newest)
{
	const struct format_arcs *b = block_at(newest);

	for (; n + 1 < blocks; n++)
		b = block_at(b->next);
	return b;
}

struct tally *
tally_make(void)
{
	const struct format_header *h = mon == NULL ? NULL : store_header();
	uint32_t newest = h == NULL ? 0 : __atomic_load_n(&h->arcs,
	    __ATOMIC_ACQUIRE);
	uint32_t n, blocks, room = room_of_all(newest, &blocks);
	struct tally *t = make(room);

	for (n = 0; t != NULL && n < blocks; n++)
		add_block(t, nth_block(n, blocks, newest));
	return t;
}

struct tally *
tally_add_between(struct tally *sum, struct tally *from, struct tally *to)
{
	uint32_t i, room = (sum == NULL ? 0 : sum->count) +
	    (to == NULL ? 0 : to->count);
	struct tally *t = room == 0 ? NULL : make(room);

	for (i = 0; t != NULL && sum != NULL && i < sum->count; i++)
		add(t, sum->cell[i].pc, sum->cell[i].calls);
	for (i = 0; t != NULL && to != NULL && i < to->count; i++)
		add(t, to->cell[i].pc, to->cell[i].calls -
		    tally_calls(from, to->cell[i].pc));
	tally_free(sum);
	tally_free(from);
	tally_free(to);
	return t;
}

void
tally_free(struct tally *t)
{
	if (t != NULL)
		region_unmap(t, t->bytes);
}

uint64_t
tally_calls(const struct tally *t, uintptr_t pc)
{
	uint32_t slot = t == NULL ? 0 : *slot_of_pc(t, pc);

	return slot == 0 ? 0 : t->cell[slot - 1].calls;
}
