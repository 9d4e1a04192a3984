/*
 * Context: O.  The callers of everything that was counted, for
 * model_add_frame(): a tree of frames with a hash index by key; see
 * stack_frames.h.
 */
#include "base/stack_frames.h"

#include "base/vector.h"

#include <string.h>

static uint32_t
hash_stack_frame(const struct stack_frame *key)
{
	uint64_t h = key->address * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)key->caller << 32 | key->module) *
	    0xc2b2ae3d27d4eb4fu;
	h ^= ((uint64_t)key->process << 32 | key->kind) *
	    0x165667b19e3779f9u;
	return hash_index_hash(h);
}

static int
same_stack_frame(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->address == b->address && a->caller == b->caller &&
	    a->module == b->module && a->kind == b->kind &&
	    a->process == b->process;
}

static int
append_stack_frame(struct stack_frames *s, const struct stack_frame *key)
{
	if (vector_grow(&s->frames, s->count, &s->room,
	    sizeof(*s->frames)) != 0)
		return -ENOMEM;
	s->frames[s->count++] = *key;
	return 0;
}

uint32_t
stack_frames_find(struct stack_frames *s, const struct stack_frame *key)
{
	static const struct stack_frame none;
	const uint32_t h = hash_stack_frame(key);
	uint32_t n;

	for (size_t at = h; (n = hash_index_next(&s->by_key, h, &at)) !=
	    HASH_INDEX_NONE;)
		if (same_stack_frame(&s->frames[n], key))
			return n;
	if (s->count >= UINT32_MAX - 1 ||
	    (s->count == 0 && append_stack_frame(s, &none) != 0) ||
	    hash_index_add(&s->by_key, h, (uint32_t)s->count) != 0 ||
	    append_stack_frame(s, key) != 0)
		return 0;
	return (uint32_t)s->count - 1;
}

void
stack_frames_free(struct stack_frames *s)
{
	free(s->frames);
	hash_index_free(&s->by_key);
	memset(s, 0, sizeof(*s));
}
