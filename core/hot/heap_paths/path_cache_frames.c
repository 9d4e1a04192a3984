/*
 * Context: S.  Frames of a call: steps from one to the next, compares them with
 * those of the last call, and finds their nodes, for path_cache.c, in the
 * alloc_thread's thread; see path_cache_frames.h.
 */
#include "heap_paths/path_cache_frames.h"

#include "count/cct.h"
#include "count/tick_path.h"
#include "frame.h"
#include "heap_paths/path_cache_table.h"
#include "unwind/stack_walk.h"

#include <limits.h>

static inline bool
stack_holds_word(const struct path_cache_stack *s, uintptr_t at)
{
	return at >= s->low && at < s->high && at % 8 == 0;
}

/* Fills *f as the innermost frame of the call. */
static void
init_innermost_frame(struct path_cache_frame *f,
    const struct alloc_caller *from)
{
	f->pc = from->pc;
	f->sp = from->sp;
	f->fp = from->fp;
}

/*
 * Sets the frame pointer of g, the caller of f, whether or not anything needs
 * it.
 */
static inline void
set_caller_fp(const struct path_cache_frame *f,
    struct path_cache_frame *g)
{
	g->fp = f->fp_at != 0 ? path_cache_frame_load(f->fp_at) : f->fp;
}

bool
path_cache_frame_step(struct path_cache_frame *f, uint64_t rule,
    const struct path_cache_stack *s, struct path_cache_frame *caller)
{
	uintptr_t frame;

	f->ra_at = f->sp_at = f->fp_at = 0;
	f->rule = rule;
	if (unwind_rule_kind(rule) == UNWIND_RULE_PLAIN &&
	    (rule & UNWIND_RULE_LINKED) == 0) {
		frame = ((rule & UNWIND_RULE_BY_FP) != 0 ? f->fp : f->sp) +
		    unwind_rule_frame(rule);
		f->ra_at = frame + unwind_rule_offset(rule, UNWIND_RULE_RA_AT);
		if ((rule & UNWIND_RULE_FP_SAVED) != 0)
			f->fp_at = frame + unwind_rule_offset(rule,
			    UNWIND_RULE_FP_AT);
	} else if (unwind_rule_kind(rule) == UNWIND_RULE_ALIGNED) {
		f->sp_at = f->fp + unwind_rule_offset(rule, UNWIND_RULE_RA_AT);
		if (!stack_holds_word(s, f->sp_at))
			return false;
		frame = path_cache_frame_load(f->sp_at);
		f->ra_at = frame - 8;
		f->fp_at = f->fp + unwind_rule_offset(rule, UNWIND_RULE_FP_AT);
	} else {
		return false;
	}
	if (frame <= f->sp || !stack_holds_word(s, f->ra_at) ||
	    (f->fp_at != 0 && !stack_holds_word(s, f->fp_at)))
		return false;
	caller->pc = frame_strip_pac(path_cache_frame_load(f->ra_at));
	caller->sp = frame;
	set_caller_fp(f, caller);
	return caller->pc != 0 && caller->pc <= STACK_WALK_ADDRESS;
}

static bool
is_by_fp(uint64_t rule)
{
	return unwind_rule_kind(rule) == UNWIND_RULE_ALIGNED ||
	    (unwind_rule_kind(rule) == UNWIND_RULE_PLAIN &&
	    (rule & UNWIND_RULE_BY_FP) != 0);
}

/*
 * Returns the flags `needs` of frame f, given those of its caller:
 * PATH_CACHE_FP if f or one of its callers is found by the frame pointer that f
 * has.
 */
static uint64_t
needs_of_frame(const struct path_cache_frame *f, uint64_t of_caller)
{
	if (f->fp_at != 0)
		of_caller &= ~(uint64_t)PATH_CACHE_FP;
	return of_caller | (is_by_fp(f->rule) ? PATH_CACHE_FP : 0);
}

/*
 * Returns the number of the frame from which word w leads to its caller: n, or
 * one further out.
 */
static unsigned
frame_of_word(const struct path_cache *r, unsigned n,
    const struct path_cache_word *w)
{
	while (n > 0 && r->frame[n - 1].words > w - r->word)
		n--;
	return n;
}

/* Notes the word of the stack at `at` as number n.  Returns n + 1. */
static uint32_t
note_word(struct path_cache *r, uint32_t n, uintptr_t at)
{
	r->word[n] = (struct path_cache_word){ at, path_cache_frame_load(at) };
	return n + 1;
}

/*
 * Notes the words that lead from f to its caller g, behind those of g.  Returns
 * how many there are with those of g.
 */
static uint32_t
note_frame_words(struct path_cache *r, const struct path_cache_frame *f,
    const struct path_cache_frame *g)
{
	uint32_t n = note_word(r, g->words, f->ra_at);

	if (f->sp_at != 0)
		n = note_word(r, n, f->sp_at);
	if ((g->needs & PATH_CACHE_FP) != 0 && f->fp_at != 0)
		n = note_word(r, n, f->fp_at);
	return n;
}

/*
 * Appends a frame to the frames of the last call, as the next inner one, with
 * the words that lead from it to its caller.  It has no node yet.
 */
static void
append_frame(struct path_cache *r, const struct path_cache_frame *fresh)
{
	struct path_cache_frame *f = &r->frame[r->count];

	*f = *fresh;
	f->node = 0;
	f->frames = path_cache_table_hash(r->count == 0 ? 0 : f[-1].frames,
	    f->pc);
	f->words = r->count == 0 ? 0 : note_frame_words(r, f, f - 1);
	r->count++;
}

/*
 * Returns whether frame f of this call is the same as frame g of the last one.
 */
static inline bool
is_same_frame(const struct path_cache_frame *f,
    const struct path_cache_frame *g)
{
	return f->sp == g->sp && f->pc == g->pc &&
	    ((g->needs & PATH_CACHE_FP) == 0 || f->fp == g->fp);
}

/*
 * Compares the words of the stack that lead outward from frame number n with
 * what they were.  Returns the number of the first frame, on the way out, whose
 * words have changed; 0 if none have.
 */
static inline unsigned
first_changed_frame(const struct path_cache *r, unsigned n)
{
	const struct path_cache_word *w = r->word + r->frame[n].words;

	while (w > r->word)
		if (w--, path_cache_frame_load(w->at) != w->value)
			return frame_of_word(r, n, w);
	return 0;
}

/* Steps out of a frame that is known to lead where it did. */
static void
repeat_known_step(struct path_cache_frame *at,
    const struct path_cache_frame *was, struct path_cache_frame *caller)
{
	const uintptr_t fp = at->fp;

	*at = *was;
	at->fp = fp;
	*caller = was[-1];
	set_caller_fp(at, caller);
}

bool
path_cache_frames_compare(struct path_cache_comparison *k,
    const struct alloc_caller *from)
{
	struct path_cache *r = k->r;
	unsigned n = r->count, broken = UINT_MAX;
	bool same;

	k->rules = unwind_cache_current();
	init_innermost_frame(&r->fresh[0], from);
	k->kept = 0;
	for (k->fresh = 1; k->fresh < config.depth; k->fresh++) {
		struct path_cache_frame *at = &r->fresh[k->fresh - 1];

		while (n > 0 && r->frame[n - 1].sp < at->sp)
			n--;
		same = n > 0 && is_same_frame(at, &r->frame[n - 1]);
		if (same && n - 1 < broken) {
			broken = first_changed_frame(r, n - 1);
			if (broken == 0) {
				k->kept = n;
				k->fresh--;
				return n + k->fresh <= config.depth;
			}
		}
		if (same && n - 1 > broken)
			repeat_known_step(at, &r->frame[n - 1], at + 1);
		else if (!path_cache_frame_step(at, unwind_cache_find(&k->rules,
		    at->pc - 1), &k->stack, at + 1))
			return unwind_rule_kind(at->rule) ==
			    UNWIND_RULE_OUTERMOST;
	}
	return false;
}

void
path_cache_frames_keep(struct path_cache_comparison *k)
{
	struct path_cache *r = k->r;
	uint64_t by = k->kept == 0 ? 0 : r->frame[k->kept - 1].needs;

	if (k->fresh == 0 && k->kept == r->count)
		return;
	r->heap = 0;
	r->count = k->kept;
	while (k->fresh > 0) {
		struct path_cache_frame *f = &r->fresh[--k->fresh];

		by = f->needs = needs_of_frame(f, by);
		append_frame(r, f);
	}
}

/* Returns the place in the cache of the node of `frame` below `parent`. */
static inline struct path_cache_node *
known_node_slot(struct path_cache *r, uint32_t parent, uint64_t frame)
{
	const uint64_t h = (frame ^ (uint64_t)parent << 20) *
	    0x9e3779b97f4a7c15u;

	return &r->known[h >> 54 & (PATH_CACHE_NODES - 1)];
}

/*
 * Remembers that `node` is the node of `frame` below `parent`.
 *
 * A handler may leave this function by siglongjmp().  No parent has index 0, so
 * an entry that is half written is never found.
 */
static void
remember_node(struct path_cache *r, uint32_t parent, uint64_t frame,
    uint32_t node)
{
	struct path_cache_node *k = known_node_slot(r, parent, frame);

	k->parent = 0;
	atomic_signal_fence(memory_order_seq_cst);
	k->frame = frame;
	k->node = node;
	atomic_signal_fence(memory_order_seq_cst);
	k->parent = parent;
}

/*
 * Returns the node of `frame` below `parent` from the tree, and remembers it,
 * because more nodes are in use than the cache has room for; 0: the tree does
 * not have it.
 */
static __attribute__((noinline)) uint32_t
find_node_in_tree(struct alloc_thread *l, uint32_t parent,
    uint64_t frame)
{
	const uint32_t node = frame == PATH_CACHE_HEAP ?
	    cct_find(l->base, parent, FORMAT_HEAP, 0, 0) :
	    tick_path_find_known(l->base, parent, frame);

	if (node != 0)
		remember_node(&l->path_cache, parent, frame, node);
	return node;
}

uint32_t
path_cache_nodes_child(struct alloc_thread *l, uint32_t parent, uint64_t frame)
{
	const struct path_cache_node *k = known_node_slot(&l->path_cache,
	    parent, frame);

	return k->frame == frame && k->parent == parent ? k->node :
	    find_node_in_tree(l, parent, frame);
}

/*
 * A place that was in no memory map is not remembered, and is looked for again.
 */
uint32_t
path_cache_nodes_add(struct path_cache *r, uint32_t parent, uint64_t frame)
{
	const struct format_node *node = tick_path_add_frame(parent, frame);

	if (node == NULL)
		return 0;
	if (r != NULL && node->how != FORMAT_HOW_UNMAPPED)
		remember_node(r, parent, frame, cct_index(node));
	return cct_index(node);
}

uint32_t
path_cache_nodes_add_heap(struct path_cache *r, uint32_t node)
{
	const struct format_node *heap = node == 0 ? NULL :
	    cct_find_or_add(node, FORMAT_HEAP, 0, 0);

	if (heap == NULL)
		return 0;
	remember_node(r, node, PATH_CACHE_HEAP, cct_index(heap));
	return cct_index(heap);
}

typedef uint32_t child_finder(struct alloc_thread *, uint32_t parent,
    uint64_t frame);

/*
 * Finds the nodes of all frames from the outermost in, and returns the last; 0:
 * a frame has none.
 */
static uint32_t
find_frame_nodes(struct alloc_thread *l, struct path_cache *r,
    child_finder *find)
{
	unsigned n = r->count;
	uint32_t node;

	while (n > 0 && r->frame[n - 1].node == 0)
		n--;
	node = n == 0 ? l->root : r->frame[n - 1].node;
	for (; n < r->count && node != 0; n++)
		node = r->frame[n].node = find(l, node, r->frame[n].pc);
	return node;
}

static uint32_t
add_child_node(struct alloc_thread *l, uint32_t parent, uint64_t frame)
{
	return path_cache_nodes_add(&l->path_cache, parent, frame);
}

uint32_t
path_cache_nodes_find_path(struct alloc_thread *l, struct path_cache *r)
{
	const uint32_t node = find_frame_nodes(l, r, path_cache_nodes_child);

	return node == 0 ? 0 : path_cache_nodes_child(l, node, PATH_CACHE_HEAP);
}

uint32_t
path_cache_nodes_add_path(struct alloc_thread *l, struct path_cache *r)
{
	return path_cache_nodes_add_heap(r, find_frame_nodes(l, r,
	    add_child_node));
}
