/*
 * Context: S.  Walks the stack for a call path that the cache does not have;
 * see path_cache.h.
 */
#include "count/cct.h"
#include "count/tick_path.h"
#include "heap_paths/path_cache.h"
#include "heap_paths/path_cache_match.h"
#include "heap_paths/path_cache_nodes.h"
#include "heap_paths/path_cache_table.h"
#include "module/modules.h"
#include "unwind/stack_walk.h"
#include "unwind/unwind_step.h"

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
	uint64_t *walked = l->recall.walked;
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
	    unwind_rule_kind(f->row) == UNWIND_RULE_OUTERMOST) ||
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
walk_rows(struct path_cache_match *k, const struct alloc_caller *from)
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
		    unwind_cache_find(&w.rows, f->pc - 1), &k->stack,
		    &caller) && told == UNWIND_STEP_FOUND))
			return false;
	}
	return is_outermost(&w, told, &k->r->fresh[k->fresh - 1]);
}

/* Arguments and result of run_walk_rows(). */
struct path_search {
	struct path_cache_match *k;
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
walk_rows_guarded(struct path_cache_match *k, const struct alloc_caller *from)
{
	struct path_search s = {k, from, false};

	return stack_walk_guard(&thread_slot_self->back, run_walk_rows, &s) &&
	    s.found;
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
	unsigned i;

	modules_find(pc - 1, &hit);
	if (hit.known || hit.unrecorded)
		return;
	modules_refresh();
	for (i = 0; i < WAITS && !hit.known && !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->module_busy) != 0; i++) {
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		modules_find(pc - 1, &hit);
	}
}

/*
 * Compares frames first: if all code of the call has been met before, only
 * nodes are new, and no walk is needed.
 */
static bool
match_all_frames(struct path_cache_match *k, const struct alloc_caller *from)
{
	k->rows = unwind_cache_current();
	path_cache_frame_init(&k->r->fresh[0], from);
	return path_cache_match_frames(k);
}

uint32_t
path_cache_resolve(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct path_cache_match k;

	await_caller_module(from->pc);
	path_cache_validate(&l->recall);
	k.r = &l->recall;
	if (config.stack != FORMAT_STACK_OFF &&
	    path_cache_frame_stack(thread_slot_self, from->sp, &k.stack) &&
	    (match_all_frames(&k, from) || walk_rows_guarded(&k, from))) {
		path_cache_match_commit(&k);
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
