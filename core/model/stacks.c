/* Context: O.  The callers of what was counted, of all files: one tree. */
#include "stacks.h"

#include "grow.h"

#include <string.h>

static uint32_t
hash(const struct stack_frame *key)
{
	uint64_t h = key->address * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)key->caller << 32 | key->module) *
	    0xc2b2ae3d27d4eb4fu;
	h ^= ((uint64_t)key->process << 32 | key->kind) *
	    0x165667b19e3779f9u;
	return finder_hash(h);
}

static int
same(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->address == b->address && a->caller == b->caller &&
	    a->module == b->module && a->kind == b->kind &&
	    a->process == b->process;
}

static int
add(struct stacks *s, const struct stack_frame *key)
{
	if (grow(&s->frames, s->count, &s->room, sizeof(*s->frames)) != 0)
		return -ENOMEM;
	s->frames[s->count++] = *key;
	return 0;
}

uint32_t
stacks_find(struct stacks *s, const struct stack_frame *key)
{
	static const struct stack_frame none;
	const uint32_t h = hash(key);
	uint32_t n;

	for (size_t at = h; (n = finder_next(&s->by_key, h, &at)) !=
	    FINDER_NONE;)
		if (same(&s->frames[n], key))
			return n;
	if (s->count >= UINT32_MAX - 1 ||
	    (s->count == 0 && add(s, &none) != 0) ||
	    finder_add(&s->by_key, h, (uint32_t)s->count) != 0 ||
	    add(s, key) != 0)
		return 0;
	return (uint32_t)s->count - 1;
}

void
stacks_free(struct stacks *s)
{
	free(s->frames);
	finder_free(&s->by_key);
	memset(s, 0, sizeof(*s));
}
