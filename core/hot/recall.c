/* Context: S.  The call path of an allocation, remembered; see recall.h. */
#include "recall.h"

#include "frame.h"
#include "path.h"
#include "step.h"
#include "str.h"
#include "tree.h"

#include <limits.h>

/* The stack of the calling thread, as far as a walk may load from it. */
struct stack {
	uintptr_t low, high;
};

static inline bool
holds(const struct stack *s, uintptr_t at)
{
	return at >= s->low && at < s->high && at % 8 == 0;
}

static inline uintptr_t
word(uintptr_t at)
{
	return *(const uintptr_t *)at;
}

/* False: it runs on another, or on one that nobody knows. */
static bool
find_stack(const struct slot *s, uintptr_t sp, struct stack *stack)
{
	if (s == NULL || sp >= s->stack_high || (sp < s->stack_low &&
	    (!s->stack_grows || s->stack_high - sp > MEMORY_GROWS)))
		return false;
	stack->low = sp;
	stack->high = s->stack_high;
	return true;
}

static struct recall_known *
known_at(struct recall *r, uint32_t parent, uint64_t frame)
{
	uint64_t h = (frame ^ (uint64_t)parent << 20) * 0x9e3779b97f4a7c15u;

	return &r->known[h >> 54 & (RECALL_KNOWN - 1)];
}

static void
remember(struct recall *r, uint32_t parent, uint64_t frame, uint32_t node)
{
	*known_at(r, parent, frame) = (struct recall_known){ frame, parent,
	    node };
}

/* What is not remembered: more paths are in use than there is room for. */
static __attribute__((noinline)) uint32_t
look_up(struct recall *r, uint32_t parent, uint64_t frame)
{
	const struct format_node *node = frame == RECALL_HEAP ?
	    tree_known(parent, FORMAT_HEAP, 0, 0) : path_known(parent, frame);

	if (node == NULL)
		return 0;
	remember(r, parent, frame, tree_index(node));
	return tree_index(node);
}

/* What is below that node; 0: not known. */
static inline uint32_t
below(struct recall *r, uint32_t parent, uint64_t frame)
{
	const struct recall_known *k = known_at(r, parent, frame);

	return k->frame == frame && k->parent == parent ? k->node :
	    look_up(r, parent, frame);
}

static bool
is_same(const struct recall_frame *f, const struct recall_frame *g)
{
	return f->sp == g->sp && f->pc == g->pc &&
	    ((g->needs & RECALL_FP) == 0 || f->fp == g->fp) &&
	    ((g->needs & RECALL_BASE) == 0 || f->base == g->base);
}

/* The registers of a frame in that of its caller, whatever needs them. */
static inline void
carry(const struct recall_frame *f, struct recall_frame *g)
{
	g->fp = f->fp_at != 0 ? word(f->fp_at) : f->fp;
	g->base = f->base_at != 0 ? word(f->base_at) : f->base;
}

/*
 * A row says where the words are that tell the caller.  False: only a search
 * tells; of an outermost frame there is none.
 */
static bool
read_row(struct recall_frame *f, uint64_t row, const struct stack *s,
    struct recall_frame *caller)
{
	uintptr_t frame;

	f->ra_at = f->sp_at = f->fp_at = f->base_at = 0;
	f->by_fp = false;
	f->outermost = row_kind(row) == ROW_OUTERMOST;
	if (row_kind(row) == ROW_PLAIN && (row & ROW_LINKED) == 0) {
		frame = ((row & ROW_BY_FP) != 0 ? f->fp : f->sp) +
		    row_frame(row);
		f->ra_at = frame + row_offset(row, ROW_RA_AT);
		if ((row & ROW_FP_SAVED) != 0)
			f->fp_at = frame + row_offset(row, ROW_FP_AT);
	} else if (row_kind(row) == ROW_ALIGNED) {
		f->sp_at = f->fp + row_offset(row, ROW_RA_AT);
		if (!holds(s, f->sp_at))
			return false;
		frame = word(f->sp_at);
		f->ra_at = frame - 8;
		f->fp_at = f->fp + row_offset(row, ROW_FP_AT);
	} else {
		return false;
	}
	if ((row & ROW_BASE_SAVED) != 0)
		f->base_at = (row_kind(row) == ROW_PLAIN ? frame : f->fp) +
		    row_offset(row, ROW_BASE_AT);
	if (frame <= f->sp || !holds(s, f->ra_at) ||
	    (f->fp_at != 0 && !holds(s, f->fp_at)) ||
	    (f->base_at != 0 && !holds(s, f->base_at)))
		return false;
	f->by_fp = row_kind(row) == ROW_ALIGNED || (row & ROW_BY_FP) != 0;
	caller->pc = frame_bare(word(f->ra_at));
	caller->sp = frame;
	carry(f, caller);
	return caller->pc != 0 && caller->pc <= WALK_ADDRESS;
}

/* By what it, or a caller of it, is found. */
static uint8_t
needs(const struct recall_frame *f, uint8_t of_caller)
{
	if (f->fp_at != 0)
		of_caller &= (uint8_t)~RECALL_FP;
	if (f->base_at != 0)
		of_caller &= (uint8_t)~RECALL_BASE;
	return of_caller | (f->by_fp ? RECALL_FP : 0);
}

/* The call under way, against what the lane recalls. */
struct look {
	struct recall *r;
	struct rows rows;
	struct stack stack;
	unsigned kept;		/* outer frames that hold still */
	unsigned fresh;		/* inner ones that do not */
};

/* Number n or one further out, that the word leads out of. */
static __attribute__((noinline)) unsigned
frame_of(const struct recall *r, unsigned n, const struct recall_word *w)
{
	while (n > 0 && r->frame[n - 1].words > w - r->word)
		n--;
	return n;
}

/*
 * From which frame on do the words of the stack lead elsewhere than they did, on
 * the way out from number n?  0: from none.
 */
static inline unsigned
broken_at(const struct recall *r, unsigned n)
{
	const struct recall_word *w = r->word + r->frame[n].words;

	while (w > r->word)
		if (w--, word(w->at) != w->value)
			return frame_of(r, n, w);
	return 0;
}

/* One step out that is known to lead where it did. */
static void
step_again(struct recall_frame *at, const struct recall_frame *was,
    struct recall_frame *caller)
{
	const uintptr_t fp = at->fp, base = at->base;

	*at = *was;
	at->fp = fp;
	at->base = base;
	*caller = was[-1];
	carry(at, caller);
}

/*
 * Outward from the innermost frame, fresh[0], until one is met from which all is
 * as it was, or the outermost.  False: it takes a search.
 */
static bool
look_outward(struct look *k)
{
	struct recall *r = k->r;
	unsigned n = r->count, broken = UINT_MAX;
	bool same;

	for (k->fresh = 1; k->fresh < config.depth; k->fresh++) {
		struct recall_frame *at = &r->fresh[k->fresh - 1];

		while (n > 0 && r->frame[n - 1].sp < at->sp)
			n--;
		same = n > 0 && is_same(at, &r->frame[n - 1]);
		if (same && n - 1 < broken) {
			broken = broken_at(r, n - 1);
			if (broken == 0) {
				k->kept = n;
				k->fresh--;
				return true;
			}
		}
		if (same && n - 1 > broken)
			step_again(at, &r->frame[n - 1], at + 1);
		else if (!read_row(at, rows_find(&k->rows, at->pc - 1),
		    &k->stack, at + 1))
			break;
	}
	k->kept = 0;
	return r->fresh[k->fresh - 1].outermost;
}

/* The frames that are new, below those that are kept.  False: some are not known. */
static bool
name_nodes(struct lane *l, struct look *k)
{
	struct recall *r = k->r;
	uint32_t node = k->kept == 0 ? l->root : r->frame[k->kept - 1].node;
	uint8_t by = k->kept == 0 ? 0 : r->frame[k->kept - 1].needs;
	unsigned i;

	for (i = k->fresh; i > 0; i--) {
		struct recall_frame *f = &r->fresh[i - 1];

		node = below(r, node, f->pc);
		if (node == 0)
			return false;
		f->node = node;
		by = f->needs = needs(f, by);
	}
	return true;
}

static uint32_t
note_word(struct recall *r, uint32_t n, uintptr_t at)
{
	r->word[n] = (struct recall_word){ at, word(at) };
	return n + 1;
}

/* The words that lead from f to its caller g, behind those of g. */
static uint32_t
note_words(struct recall *r, const struct recall_frame *f,
    const struct recall_frame *g)
{
	uint32_t n = note_word(r, g->words, f->ra_at);

	if (f->sp_at != 0)
		n = note_word(r, n, f->sp_at);
	if ((g->needs & RECALL_FP) != 0 && f->fp_at != 0)
		n = note_word(r, n, f->fp_at);
	if ((g->needs & RECALL_BASE) != 0 && f->base_at != 0)
		n = note_word(r, n, f->base_at);
	return n;
}

/* Below those that are there already. */
static void
keep_one(struct recall *r, const struct recall_frame *fresh)
{
	struct recall_frame *f = &r->frame[r->count];

	*f = *fresh;
	f->words = r->count == 0 ? 0 : note_words(r, f, f - 1);
	r->count++;
}

static void
keep(struct look *k)
{
	k->r->count = k->kept;
	while (k->fresh > 0)
		keep_one(k->r, &k->r->fresh[--k->fresh]);
}

static void
begin(struct recall_frame *f, const struct heap_from *from)
{
	f->pc = from->pc;
	f->sp = from->sp;
	f->fp = from->fp;
	f->base = from->base;
}

static __attribute__((noinline)) bool
forget(struct recall *r, unsigned text)
{
	r->text_generation = text;
	recall_empty(r);
	mem_zero(r->known, sizeof r->known);
	return false;
}

/* Text may have gone, and other text come to its place. */
static inline bool
is_of_now(struct recall *r)
{
	const unsigned text = atomic_load_explicit(&mon->text_generation,
	    memory_order_relaxed);

	return r->text_generation == text || forget(r, text);
}

/* Not as the last one: some frames are others, or those of a call between. */
static __attribute__((noinline)) uint32_t
look_again(struct lane *l, const struct heap_from *from,
    const struct stack *stack)
{
	struct recall *r = &l->recall;
	struct look k;

	k.r = r;
	k.rows = rows_now();
	k.stack = *stack;
	begin(&r->fresh[0], from);
	if (!look_outward(&k) || !name_nodes(l, &k))
		return 0;
	keep(&k);
	r->heap = r->count == 0 ? 0 : below(r, r->frame[r->count - 1].node,
	    RECALL_HEAP);
	return r->heap;
}

/* Is it the last call once more, frame by frame? */
static inline bool
is_again(const struct recall *r, const struct heap_from *from)
{
	const struct recall_frame *f = &r->frame[r->count - 1];

	return f->sp == from->sp && f->pc == from->pc &&
	    ((f->needs & RECALL_FP) == 0 || f->fp == from->fp) &&
	    ((f->needs & RECALL_BASE) == 0 || f->base == from->base) &&
	    broken_at(r, r->count - 1) == 0;
}

/* The caller, and nobody beyond. */
static uint32_t
caller_known(struct lane *l, const struct heap_from *from)
{
	const uint32_t node = below(&l->recall, l->root, from->pc);

	return node == 0 ? 0 : below(&l->recall, node, RECALL_HEAP);
}

uint32_t
recall_known(struct lane *l, const struct heap_from *from)
{
	struct recall *r = &l->recall;
	struct stack stack;

	if (config.stack == FORMAT_STACK_OFF)
		return is_of_now(r) ? caller_known(l, from) : 0;
	if (!is_of_now(r) || !find_stack(slot_self, from->sp, &stack))
		return 0;
	if (r->heap != 0 && is_again(r, from))
		return r->heap;
	return look_again(l, from, &stack);
}

/* Below that node.  A place that no map has had yet is looked for again. */
static uint32_t
find(struct recall *r, uint32_t parent, uint64_t frame)
{
	const struct format_node *node = path_frame(parent, frame);

	if (node == NULL)
		return 0;
	if (node->how != FORMAT_HOW_NOWHERE)
		remember(r, parent, frame, tree_index(node));
	return tree_index(node);
}

static uint32_t
find_heap(struct recall *r, uint32_t node)
{
	const struct format_node *heap = node == 0 ? NULL :
	    tree_find(node, FORMAT_HEAP, 0, 0);

	if (heap == NULL)
		return 0;
	remember(r, node, RECALL_HEAP, tree_index(heap));
	return tree_index(heap);
}

static void
from_call(struct walk_from *to, const struct heap_from *from)
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
}

/* Its node, as a tick is walked: nothing of it is recalled. */
static uint32_t
walk_plainly(struct lane *l, struct slot *s, const struct walk_from *from)
{
	struct recall *r = &l->recall;
	uint32_t node = l->root;
	unsigned n = 1;

	r->walked[0] = from->pc;
	if (s == NULL)
		r->walked[n++] = WALK_CUT | FORMAT_CUT_MEMORY;
	else if (config.stack != FORMAT_STACK_OFF)
		n += path_callers(s, from, r->walked + 1, config.depth - 1);
	while (n > 0 && node != 0)
		node = find(r, node, r->walked[--n]);
	return node;
}

/*
 * From the innermost frame to the outermost, each by a row that says which words
 * tell the next.  False: one is found otherwise, or there are too many.
 */
static bool
walk_rows(struct look *k, struct slot *s, const struct walk_from *from)
{
	struct walk w;
	int told = FOUND;

	walk_begin(&w, s, from);
	for (k->fresh = 0; told == FOUND && k->fresh < config.depth;) {
		struct recall_frame *f = &k->r->fresh[k->fresh++];
		struct recall_frame caller;

		f->pc = w.now.pc;
		f->sp = w.now.sp;
		f->fp = w.now.fp;
		f->base = w.now.base;
		if (w.exact)
			return false;
		told = step_out(&w);
		if (w.guessed || (!read_row(f, rows_find(&w.rows, f->pc - 1),
		    &k->stack, &caller) && told == FOUND))
			return false;
	}
	if (told > 0 && walk_is_at_entry(&w))
		told = OUTERMOST;
	k->r->fresh[k->fresh - 1].outermost = told == OUTERMOST;
	return told == OUTERMOST;
}

static uint32_t
search(struct lane *l, struct look *k)
{
	struct recall *r = &l->recall;
	uint32_t node = l->root;
	uint8_t by = 0;

	while (k->fresh > 0) {
		struct recall_frame *f = &r->fresh[--k->fresh];

		node = find(r, node, f->pc);
		if (node == 0)
			break;
		f->node = node;
		by = f->needs = needs(f, by);
		keep_one(r, f);
	}
	r->heap = find_heap(r, node);
	return r->heap;
}

#define WAITS	200u		/* with the processor left to others in between */

/*
 * Of a caller, which is code for sure, the map is read at once; of what a walk
 * takes for one, at the rate of modules_find().  Another thread may be at it: its
 * end is waited for, unless that takes too long.
 */
static void
know_caller(uintptr_t pc)
{
	struct module_hit hit;
	unsigned i;

	modules_find(pc - 1, &hit);
	if (!hit.known)
		modules_refresh();
	for (i = 0; i < WAITS && !hit.known && !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->module_busy) != 0; i++) {
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		modules_find(pc - 1, &hit);
	}
}

uint32_t
recall_search(struct lane *l, const struct heap_from *from)
{
	struct look k;
	struct slot *s = slot_self;
	struct walk_from begin_at;
	uint32_t heap;

	k.r = &l->recall;
	is_of_now(&l->recall);
	recall_empty(&l->recall);
	know_caller(from->pc);
	from_call(&begin_at, from);
	if (config.stack == FORMAT_STACK_OFF ||
	    !find_stack(s, from->sp, &k.stack) ||
	    !walk_rows(&k, s, &begin_at))
		heap = find_heap(k.r, walk_plainly(l, s, &begin_at));
	else
		heap = search(l, &k);
	return heap;
}

uint32_t
recall_map(struct lane *l, const struct heap_from *from)
{
	struct walk_from begin_at;
	const struct format_node *map;
	uint32_t node;

	is_of_now(&l->recall);
	know_caller(from->pc);
	from_call(&begin_at, from);
	node = walk_plainly(l, slot_self, &begin_at);
	map = node == 0 ? NULL : tree_find(node, FORMAT_MAP, 0, 0);
	return map == NULL ? 0 : tree_index(map);
}
