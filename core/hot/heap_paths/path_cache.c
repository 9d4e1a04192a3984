/* Context: S.  Looks a call path up in the lane's cache; see path_cache.h. */
#include "heap_paths/path_cache.h"

#include "base/str.h"
#include "heap_paths/path_cache_match.h"
#include "heap_paths/path_cache_nodes.h"
#include "heap_paths/path_cache_table.h"

void
path_cache_init(struct path_cache *r, void *room, uint64_t random)
{
	r->frame = room;
	r->fresh = r->frame + config.depth;
	r->word = (struct path_cache_word *)(r->fresh + config.depth);
	r->walked = (uint64_t *)(r->word + PATH_CACHE_WORDS * config.depth);
	path_cache_table_init(r, random);
}

size_t
path_cache_bytes(void)
{
	return config.depth * (2 * sizeof(struct path_cache_frame) +
	    PATH_CACHE_WORDS * sizeof(struct path_cache_word) +
	    sizeof(uint64_t));
}

/*
 * A handler may leave this function by a jump.  The generation is stored last,
 * so that all is forgotten once more then.
 */
__attribute__((cold, noinline)) void
path_cache_reset(struct path_cache *r)
{
	const unsigned now = atomic_load(&mon->text_generation);

	path_cache_forget_last(r);
	mem_zero(r->known, sizeof r->known);
	path_cache_table_clear(r);
	atomic_signal_fence(memory_order_seq_cst);
	r->text_generation = now;
}

/*
 * Returns the path of a call that did not continue as any before: follows its
 * frames as far as they differ from those of the last call that was looked at.
 */
static __attribute__((noinline)) uint32_t
match_known_frames(struct alloc_thread *l, const struct alloc_caller *from,
    const struct path_cache_stack *stack)
{
	struct path_cache *r = &l->recall;
	struct path_cache_match k;

	k.r = r;
	k.rows = unwind_cache_current();
	k.stack = *stack;
	path_cache_frame_init(&r->fresh[0], from);
	if (!path_cache_match_frames(&k))
		return 0;
	path_cache_match_commit(&k);
	if (!path_cache_table_find(r, stack)) {
		r->heap = path_cache_nodes_find_path(l, r);
		if (r->heap != 0)
			path_cache_table_insert(r);
	}
	return r->heap;
}

/* Returns the path that has the caller alone, where stacks are not walked. */
static uint32_t
find_caller_only(struct alloc_thread *l, const struct alloc_caller *from)
{
	const uint32_t node = path_cache_nodes_child(l, l->root, from->pc);

	return node == 0 ? 0 : path_cache_nodes_child(l, node, PATH_CACHE_HEAP);
}

uint32_t
path_cache_same_path(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct path_cache *r = &l->recall;
	struct path_cache_stack stack;

	return path_cache_validate(r) &&
	    path_cache_frame_stack(thread_slot_self, from->sp, &stack) ?
	    path_cache_table_last(r, from, &stack) : 0;
}

uint32_t
path_cache_lookup(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct path_cache *r = &l->recall;
	struct path_cache_stack stack;
	uint32_t heap;

	if (!path_cache_validate(r))
		return 0;
	if (config.stack == FORMAT_STACK_OFF)
		return find_caller_only(l, from);
	if (!path_cache_frame_stack(thread_slot_self, from->sp, &stack))
		return 0;
	heap = r->last == 0 ? 0 : path_cache_table_next(r, from, &stack);
	return heap != 0 ? heap : match_known_frames(l, from, &stack);
}
