/*
 * Context: S.  Finds the node of the call tree that stands for the callers of a
 * sample, for record.c, kernel_samples.c and core/hot/heap_paths; see
 * tick_path.h.
 *
 * From one tick to the next most of the outer callers are the same: their nodes
 * are remembered, and only new ones are looked up.
 */
#include "count/tick_path.h"

#include "base/str.h"
#include "base/wiped_memory.h"
#include "count/cct.h"
#include "module/modules.h"

/*
 * The callers at the last tick of a slot.  Each array has room for
 * config.depth.
 */
struct tick_path {
	/* generation of the store that the nodes are in */
	unsigned generation;
	uint32_t root;		/* root node above them: that of one thread */
	/* mon->text_generation when they were found */
	unsigned text_generation;
	unsigned count;		/* frames in frames[] */
	uint64_t *frames;	/* their frames, innermost first */
	uint64_t *fresh;	/* frames of the tick under way */
	/* buffer that tick_path_entry() returns */
	struct tick_path_entry *entry;
	uint32_t *nodes;	/* their nodes, outermost first */
	/* start of a walk; it is here because a tick's own stack is small */
	struct stack_walk_start from;
};

static size_t
tick_path_bytes(unsigned depth)
{
	return sizeof(struct tick_path) + depth * (2 * sizeof(uint64_t) +
	    sizeof(uint32_t)) + sizeof(struct tick_path_entry);
}

/*
 * Makes the remembered path of a slot, in one piece of memory.  Returns NULL if
 * there is none, or in a frozen process.
 */
static struct tick_path *
make_tick_path(void)
{
	const unsigned depth = config.depth;
	struct tick_path *p;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		return NULL;
	p = wiped_memory_alloc(tick_path_bytes(depth));
	if (p == NULL)
		return NULL;
	p->frames = (uint64_t *)(p + 1);
	p->fresh = p->frames + depth;
	p->entry = (struct tick_path_entry *)(p->fresh + depth);
	p->nodes = (uint32_t *)(p->entry + 1);
	return p;
}

static struct format_node *
cut_node(uint32_t parent, enum format_cut why)
{
	return cct_find_or_add(parent, FORMAT_CUT, 0, why);
}

struct format_node *
tick_path_add_frame(uint32_t parent, uint64_t frame)
{
	const uintptr_t address = frame & STACK_WALK_ADDRESS;
	const bool called = (frame & STACK_WALK_INTERRUPTED) == 0;
	struct format_node *node;
	struct module_hit hit;

	if ((frame & STACK_WALK_CUT) != 0)
		return cut_node(parent, (enum format_cut)address);
	/* The address behind a call can belong to the next object. */
	modules_find(address - called, &hit);
	node = cct_find_or_add(parent, called ? FORMAT_FRAME :
	    FORMAT_INTERRUPTED, hit.record, hit.address + called);
	if (node == NULL)
		return NULL;
	cct_mark(node, hit.known);
	if ((frame & STACK_WALK_GUESSED) != 0 && hit.known)
		__atomic_store_n(&node->how, FORMAT_HOW_GUESSED,
		    __ATOMIC_RELAXED);
	return node;
}

uint32_t
tick_path_find_known(const unsigned char *base, uint32_t parent, uintptr_t pc)
{
	const struct format_node *node;
	struct module_hit hit;
	uint32_t index;

	if (!modules_find_known(pc - 1, &hit))
		return 0;
	index = cct_find(base, parent, FORMAT_FRAME, hit.record,
	    hit.address + 1);
	node =
	    (const struct format_node *)(base + (uint64_t)index * FORMAT_UNIT);
	return index != 0 && node->how != FORMAT_HOW_UNMAPPED ? index : 0;
}

/* Returns how many frames at the outer end are the same as at the last tick. */
static unsigned
count_same_frames(const struct tick_path *p, unsigned count)
{
	const unsigned most = count < p->count ? count : p->count;
	unsigned n;

	for (n = 0; n < most; n++)
		if (p->frames[p->count - 1 - n] != p->fresh[count - 1 - n])
			break;
	return n;
}

/*
 * Returns whether the remembered nodes may be used for s, and makes them those
 * of s from now on.
 */
static bool
is_tick_path_valid(struct tick_path *p, const struct thread_slot *s)
{
	const unsigned text = atomic_load(&mon->text_generation);
	const bool ret = p->generation == s->records.generation &&
	    p->root == s->records.root && p->text_generation == text;

	p->generation = s->records.generation;
	p->root = s->records.root;
	p->text_generation = text;
	return ret;
}

/*
 * Returns the node of the p->fresh frames below the root of s, or 0 if there is
 * no room.  These frames become the remembered ones.
 */
static uint32_t
enter_frames(struct tick_path *p, const struct thread_slot *s, unsigned count)
{
	unsigned n = is_tick_path_valid(p, s) ? count_same_frames(p, count) : 0;
	uint32_t at = n == 0 ? s->records.root : p->nodes[n - 1];
	uint64_t *last = p->frames;

	for (; n < count && at != 0; n++) {
		struct format_node *node = tick_path_add_frame(at,
		    p->fresh[count - 1 - n]);

		at = node == NULL ? 0 : cct_index(node);
		p->nodes[n] = at;
	}
	p->frames = p->fresh;
	p->fresh = last;
	p->count = at == 0 ? 0 : count;
	return at;
}

unsigned
tick_path_callers(struct thread_slot *s, const struct stack_walk_start *from,
    uint64_t *frames, unsigned room)
{
	struct module_hit hit;
	uintptr_t unknown;
	unsigned n = stack_walk(s, from, frames, room, &unknown);

	if (unknown == 0)
		return n;
	modules_find(unknown, &hit);
	return !hit.known ? n : stack_walk(s, from, frames, room, &unknown);
}

/* Returns the node that says why the callers are unknown, or 0. */
static uint32_t
unknown_path_node(const struct thread_slot *s, enum format_cut why)
{
	const struct format_node *node = cut_node(s->records.root, why);

	return node == NULL ? 0 : cct_index(node);
}

static bool
ensure_tick_path(struct thread_slot *s)
{
	if (s->tick_path == NULL)
		s->tick_path = make_tick_path();
	return s->tick_path != NULL;
}

static enum format_cut
missing_path_reason(void)
{
	return atomic_load(&mon->frozen) ? FORMAT_CUT_FROZEN :
	    FORMAT_CUT_NO_MEMORY;
}

static uint32_t
enter_current_frames(struct thread_slot *s)
{
	struct tick_path *p = s->tick_path;

	stack_walk_start_tick(&p->from, s->tick.context);
	return enter_frames(p, s, tick_path_callers(s, &p->from, p->fresh,
	    config.depth));
}

uint32_t
tick_path_node(struct thread_slot *s, bool now)
{
	if (config.stack == FORMAT_STACK_OFF || s->records.root == 0)
		return s->records.root;
	if (!now || s->tick.context == NULL)
		return unknown_path_node(s, FORMAT_CUT_LATE);
	if (!ensure_tick_path(s))
		return unknown_path_node(s, missing_path_reason());
	/*
	 * The stack is walked once a tick, although the tick may be counted in
	 * parts.
	 */
	if (s->tick.callers == 0)
		s->tick.callers = enter_current_frames(s);
	return s->tick.callers;
}

struct tick_path_entry *
tick_path_entry(struct thread_slot *s)
{
	return config.stack == FORMAT_STACK_OFF || s->tick.context == NULL ||
	    !ensure_tick_path(s) ? NULL : s->tick_path->entry;
}

uint32_t
tick_path_of_place(struct thread_slot *s, const struct stack_walk_start *from,
    bool inside)
{
	struct tick_path *p;
	unsigned n = 0;

	if (config.stack == FORMAT_STACK_OFF || s->records.root == 0)
		return s->records.root;
	if (from == NULL)
		return unknown_path_node(s, inside ? FORMAT_CUT_LATE :
		    FORMAT_CUT_AWAKE);
	if (!ensure_tick_path(s))
		return unknown_path_node(s, missing_path_reason());
	p = s->tick_path;
	if (inside)
		p->fresh[n++] = from->pc | STACK_WALK_INTERRUPTED;
	n += tick_path_callers(s, from, p->fresh + n, config.depth - n);
	/* A frame that is outermost itself has no callers. */
	if (n != 0 && from->stack != NULL &&
	    p->fresh[n - 1] == (STACK_WALK_CUT | FORMAT_CUT_UNREADABLE))
		p->fresh[n - 1] = STACK_WALK_CUT | FORMAT_CUT_COPY;
	return enter_frames(p, s, n);
}
