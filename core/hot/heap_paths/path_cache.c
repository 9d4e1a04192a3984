/*
 * Context: S.  Looks a call path up in the alloc_thread's cache, tier by tier,
 * for alloc_count.c and alloc_slow.c, in the alloc_thread's thread; see
 * path_cache.h for the functions and doc/design/path-cache.md for the reasons.
 *
 * tier         remembers            is asked with        misses when
 * -----------  -------------------  -------------------  ---------------------
 * last path    entry of the last    pc, sp, and the sum  any word that leads
 *              call                 of the stack's words outward has changed
 * successors   4 entries that came  the same             none of the 4 follows
 *              after that one                            this time
 * frames       frames of the last   one frame after the  the caller of a frame
 *              call, and the words  other, to the first  is in no rule of the
 *              between them         that is unchanged    unwind cache
 * table        entries of all paths number of the frames the path is new, or
 *                                                        the table was full
 * nodes        1,024 nodes of the   parent and frame     the tree is asked, and
 *              tree                                      has no such node
 * walk         nothing              the registers        the file has no room
 *
 * path_cache_same_path() asks the first tier, path_cache_lookup() those from
 * the second to the nodes, path_cache_resolve() the frames again, then walks
 * and makes nodes.  path_cache_table.c stores entries; path_cache_frames.c
 * compares frames and finds nodes.
 */
#include "heap_paths/path_cache.h"

#include "base/str.h"
#include "count/cct.h"
#include "count/tick_path.h"
#include "heap_paths/path_cache_frames.h"
#include "heap_paths/path_cache_table.h"
#include "module/modules.h"
#include "unwind/stack_walk.h"
#include "unwind/unwind_step.h"

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
	mem_zero(r->known, sizeof(r->known));
	path_cache_table_clear(r);
	atomic_signal_fence(memory_order_seq_cst);
	r->text_generation = now;
}

/*
 * Returns the path of a call that did not continue as any before: follows its
 * frames as far as they differ from those of the last call that was looked at.
 */
static __attribute__((noinline)) uint32_t
find_by_frames(struct alloc_thread *l, const struct alloc_caller *from,
    const struct path_cache_stack *stack)
{
	struct path_cache *r = &l->path_cache;
	struct path_cache_comparison k;

	k.r = r;
	k.stack = *stack;
	if (!path_cache_frames_compare(&k, from))
		return 0;
	path_cache_frames_keep(&k);
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
	struct path_cache *r = &l->path_cache;
	struct path_cache_stack stack;

	return path_cache_validate(r) &&
	    path_cache_frame_stack(thread_slot_self, from->sp, &stack) ?
	    path_cache_table_last(r, from, &stack) : 0;
}

uint32_t
path_cache_lookup(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct path_cache *r = &l->path_cache;
	struct path_cache_stack stack;
	uint32_t heap;

	if (!path_cache_validate(r))
		return 0;
	if (config.stack == FORMAT_STACK_OFF)
		return find_caller_only(l, from);
	if (!path_cache_frame_stack(thread_slot_self, from->sp, &stack))
		return 0;
	heap = r->last == 0 ? 0 : path_cache_table_next(r, from, &stack);
	return heap != 0 ? heap : find_by_frames(l, from, &stack);
}

/* Fills the start of a walk with the caller of an allocation function. */
static void
set_walk_start(struct stack_walk_start *to, const struct alloc_caller *from)
{
	to->pc = from->pc;
	to->sp = from->sp;
	to->called = to->registers = true;
	to->fp = from->fp;
	to->base = from->base;
	to->link = 0;
	to->all = NULL;
	to->stack = NULL;
	to->words = 0;
	to->asleep = false;
}

/*
 * Walks the stack as a tick does, and returns the node of the call path, or 0.
 * Keeps no frames.  r: the cache that remembers nodes; NULL: none does.
 */
static uint32_t
walk_like_tick(struct alloc_thread *l, struct path_cache *r,
    const struct alloc_caller *from)
{
	uint64_t *walked = l->path_cache.walked;
	struct thread_slot *s = thread_slot_self;
	struct stack_walk_start begin;
	uint32_t node = l->root;
	unsigned n = 1;

	set_walk_start(&begin, from);
	walked[0] = from->pc;
	if (s != NULL && config.stack != FORMAT_STACK_OFF)
		n += tick_path_callers(s, &begin, walked + 1, config.depth - 1);
	else if (s == NULL)
		walked[n++] = STACK_WALK_CUT | FORMAT_CUT_UNREADABLE;
	while (n > 0 && node != 0)
		node = path_cache_nodes_add(r, node, walked[--n]);
	return node;
}

/*
 * Returns whether the walk has ended at the outermost frame, by the place of
 * the code.  A word of the stack that is 0 does not count as the end: nothing
 * would compare that word, and it may be another when the frame is there again.
 */
static bool
is_outermost(const struct stack_walk *w, int told,
    const struct path_cache_frame *f)
{
	return (told == UNWIND_STEP_OUTERMOST &&
	    unwind_rule_kind(f->rule) == UNWIND_RULE_OUTERMOST) ||
	    ((told == UNWIND_STEP_OUTERMOST || told > 0) &&
	    stack_walk_is_at_entry(w));
}

/*
 * Walks from the innermost frame to the outermost, each by a rule that says
 * which words lead to the next.  Returns false if a frame is found otherwise,
 * or if there are too many.  This is a function of its own so that its
 * variables are off the stack when the path is then walked as a tick's.
 */
static bool
walk_rows(struct path_cache_comparison *k, const struct alloc_caller *from)
{
	struct stack_walk_start begin;
	struct stack_walk w;
	int told = UNWIND_STEP_FOUND;

	set_walk_start(&begin, from);
	stack_walk_begin(&w, thread_slot_self, &begin);
	k->kept = 0;
	for (k->fresh = 0; told == UNWIND_STEP_FOUND &&
	    k->fresh < config.depth;) {
		struct path_cache_frame *f = &k->r->fresh[k->fresh++];
		struct path_cache_frame caller;

		f->pc = w.now.pc;
		f->sp = w.now.sp;
		f->fp = w.now.fp;
		if (w.exact)
			return false;
		told = unwind_step_out(&w);
		if (w.guessed || (!path_cache_frame_step(f,
		    unwind_cache_find(&w.rules, f->pc - 1), &k->stack,
		    &caller) && told == UNWIND_STEP_FOUND))
			return false;
	}
	return is_outermost(&w, told, &k->r->fresh[k->fresh - 1]);
}

/* Arguments and result of run_walk_rows(). */
struct path_search {
	struct path_cache_comparison *k;
	const struct alloc_caller *from;
	bool found;
};

static void
run_walk_rows(void *path_search)
{
	struct path_search *s = path_search;

	s->found = walk_rows(s->k, s->from);
}

/*
 * Walks by rules.  A memory fault ends the walk; the walk like a tick's that
 * follows counts its own faults.
 */
static bool
walk_rows_guarded(struct path_cache_comparison *k,
    const struct alloc_caller *from)
{
	struct path_search s = {k, from, false};

	return stack_walk_guard(&thread_slot_self->tick.back, run_walk_rows,
	    &s) && s.found;
}

/* Tries, each after sched_yield(). */
#define WAITS	200u

/*
 * Makes sure that the module of the caller's code is known.  A caller is
 * certainly code, so the memory map is read at once, while for what a walk
 * takes for code it is read at the rate of modules_find().  Another thread may
 * be reading it: waits for its end, unless that takes too long.
 */
static void
await_caller_module(uintptr_t pc)
{
	struct module_hit hit;

	modules_find(pc - 1, &hit);
	if (hit.known || hit.unrecorded)
		return;
	modules_refresh();
	for (unsigned i = 0;
	    i < WAITS && !hit.known && !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->module_busy) != 0; i++) {
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		modules_find(pc - 1, &hit);
	}
}

/*
 * Compares frames first: if all code of the call has been met before, only
 * nodes are new, and no walk is needed.
 */
uint32_t
path_cache_resolve(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct path_cache_comparison k;

	await_caller_module(from->pc);
	path_cache_validate(&l->path_cache);
	k.r = &l->path_cache;
	if (config.stack != FORMAT_STACK_OFF &&
	    path_cache_frame_stack(thread_slot_self, from->sp, &k.stack) &&
	    (path_cache_frames_compare(&k, from) ||
	    walk_rows_guarded(&k, from))) {
		path_cache_frames_keep(&k);
		k.r->heap = path_cache_nodes_add_path(l, k.r);
		if (k.r->heap == 0)
			k.r->heap = PATH_CACHE_LOST;
		path_cache_table_insert(k.r);
		return k.r->heap;
	}
	path_cache_forget_last(k.r);
	return path_cache_nodes_add_heap(k.r, walk_like_tick(l, k.r, from));
}

/* An allocation function may be using the cache: it is left alone. */
uint32_t
path_cache_resolve_map(struct alloc_thread *l, const struct alloc_caller *from)
{
	const struct format_node *map;
	uint32_t node;

	await_caller_module(from->pc);
	node = walk_like_tick(l, NULL, from);
	map = node == 0 ? NULL : cct_find_or_add(node, FORMAT_MAP, 0, 0);
	return map == NULL ? 0 : cct_index(map);
}
