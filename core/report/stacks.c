/* Context: O.  The callers of what was counted, of all files: one tree. */
#include "stacks.h"

#include "grow.h"

#include <string.h>

static uint64_t
hash(const struct stack_frame *key)
{
	uint64_t h = key->address * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)key->caller << 32 | key->module) *
	    0xc2b2ae3d27d4eb4fu;
	h ^= ((uint64_t)key->process << 32 | key->kind) *
	    0x165667b19e3779f9u;
	h ^= h >> 29;
	return h * 0xbf58476d1ce4e5b9u >> 16;
}

static int
same(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->address == b->address && a->caller == b->caller &&
	    a->module == b->module && a->kind == b->kind &&
	    a->process == b->process;
}

/* Where it is, or the empty place where it would be. */
static uint32_t *
place(const struct stacks *s, const struct stack_frame *key)
{
	size_t at = hash(key) & (s->slot_count - 1);

	while (s->slots[at] != 0 && !same(&s->frames[s->slots[at]], key))
		at = (at + 1) & (s->slot_count - 1);
	return &s->slots[at];
}

/* Half full at the most. */
static int
widen(struct stacks *s)
{
	const size_t slots = s->slot_count == 0 ? 1024 : s->slot_count * 2;
	uint32_t *wider;

	if (s->count < s->slot_count / 2)
		return 0;
	wider = calloc(slots, sizeof(*wider));
	if (wider == NULL)
		return -ENOMEM;
	free(s->slots);
	s->slots = wider;
	s->slot_count = slots;
	for (uint32_t i = 1; i < s->count; i++)
		*place(s, &s->frames[i]) = i;
	return 0;
}

uint32_t
stacks_find(struct stacks *s, const struct stack_frame *key)
{
	uint32_t *slot;

	if (widen(s) != 0 || s->count >= UINT32_MAX - 1)
		return 0;
	slot = place(s, key);
	if (*slot != 0)
		return *slot;
	if (grow(&s->frames, s->count, &s->room, sizeof(*s->frames)) != 0)
		return 0;
	if (s->count == 0)
		memset(&s->frames[s->count++], 0, sizeof(*s->frames));
	if (grow(&s->frames, s->count, &s->room, sizeof(*s->frames)) != 0)
		return 0;
	s->frames[s->count] = *key;
	return *slot = (uint32_t)s->count++;
}

void
stacks_free(struct stacks *s)
{
	free(s->frames);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}
