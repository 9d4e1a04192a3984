/*
 * Context: S.  The node of the tree that stands for a tick's callers.
 *
 * From one tick to the next most of the outer callers are the same: their nodes
 * are remembered, and only what is new is looked up.
 */
#include "path.h"

#include "modules.h"
#include "region.h"
#include "str.h"
#include "tree.h"

/* A slot's, with room for config.depth each, as they were at its last tick. */
struct path {
	unsigned generation;	/* of the store that the nodes are in */
	uint32_t root;		/* below which they are: of one thread */
	unsigned text_generation;
	unsigned count;
	uint64_t *frames;	/* innermost first */
	uint64_t *fresh;	/* of the tick under way */
	struct path_entry *entry;
	uint32_t *nodes;	/* outermost first */
	struct walk_from from;	/* here, as a tick's own stack is small */
};

static size_t
bytes_of(unsigned depth)
{
	return sizeof(struct path) + depth * (2 * sizeof(uint64_t) +
	    sizeof(uint32_t)) + sizeof(struct path_entry);
}

static struct path *
make(void)
{
	const unsigned depth = config.depth;
	struct path *p;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		return NULL;
	p = region_memory(bytes_of(depth));
	if (p == NULL)
		return NULL;
	p->frames = (uint64_t *)(p + 1);
	p->fresh = p->frames + depth;
	p->entry = (struct path_entry *)(p->fresh + depth);
	p->nodes = (uint32_t *)(p->entry + 1);
	return p;
}

static struct format_node *
cut(uint32_t parent, enum format_cut why)
{
	return tree_find(parent, FORMAT_CUT, 0, why);
}

struct format_node *
path_frame(uint32_t parent, uint64_t frame)
{
	const uintptr_t address = frame & WALK_ADDRESS;
	const bool called = (frame & WALK_BROKEN_IN) == 0;
	struct format_node *node;
	struct module_hit hit;

	if ((frame & WALK_CUT) != 0)
		return cut(parent, (enum format_cut)address);
	/* What follows a call can be of the next object. */
	modules_find(address - called, &hit);
	node = tree_find(parent, called ? FORMAT_FRAME : FORMAT_BROKEN_IN,
	    hit.record, hit.address + called);
	if (node == NULL)
		return NULL;
	tree_mark(node, hit.known);
	if ((frame & WALK_GUESSED) != 0 && hit.known)
		__atomic_store_n(&node->how, FORMAT_HOW_GUESSED,
		    __ATOMIC_RELAXED);
	return node;
}

uint32_t
path_known(const unsigned char *base, uint32_t parent, uintptr_t pc)
{
	const struct format_node *node;
	struct module_hit hit;
	uint32_t index;

	if (!modules_known(pc - 1, &hit))
		return 0;
	index = tree_known(base, parent, FORMAT_FRAME, hit.record,
	    hit.address + 1);
	node = (const struct format_node *)(base + (uint64_t)index * FORMAT_UNIT);
	return index != 0 && node->how != FORMAT_HOW_NOWHERE ? index : 0;
}

/* How many frames at the outer end are as they were. */
static unsigned
same(const struct path *p, unsigned count)
{
	const unsigned most = count < p->count ? count : p->count;
	unsigned n;

	for (n = 0; n < most; n++)
		if (p->frames[p->count - 1 - n] != p->fresh[count - 1 - n])
			break;
	return n;
}

/* Does what is remembered hold still? */
static bool
holds(struct path *p, const struct slot *s)
{
	const unsigned text = atomic_load(&mon->text_generation);
	const bool ret = p->generation == s->generation &&
	    p->root == s->root && p->text_generation == text;

	p->generation = s->generation;
	p->root = s->root;
	p->text_generation = text;
	return ret;
}

static uint32_t
enter(struct path *p, const struct slot *s, unsigned count)
{
	unsigned n = holds(p, s) ? same(p, count) : 0;
	uint32_t at = n == 0 ? s->root : p->nodes[n - 1];
	uint64_t *last = p->frames;

	for (; n < count && at != 0; n++) {
		struct format_node *node = path_frame(at,
		    p->fresh[count - 1 - n]);

		at = node == NULL ? 0 : tree_index(node);
		p->nodes[n] = at;
	}
	p->frames = p->fresh;
	p->fresh = last;
	p->count = at == 0 ? 0 : count;
	return at;
}

unsigned
path_callers(struct slot *s, const struct walk_from *from, uint64_t *frames,
    unsigned room)
{
	struct module_hit hit;
	uintptr_t unknown;
	unsigned n = walk(s, from, frames, room, &unknown);

	if (unknown == 0)
		return n;
	modules_find(unknown, &hit);
	return !hit.known ? n : walk(s, from, frames, room, &unknown);
}

/* Of what has none: why not. */
static uint32_t
none(const struct slot *s, enum format_cut why)
{
	const struct format_node *node = cut(s->root, why);

	return node == NULL ? 0 : tree_index(node);
}

static bool
has_path(struct slot *s)
{
	if (s->path == NULL)
		s->path = make();
	return s->path != NULL;
}

static enum format_cut
no_path(void)
{
	return atomic_load(&mon->frozen) ? FORMAT_CUT_FROZEN : FORMAT_CUT_ROOM;
}

static uint32_t
enter_now(struct slot *s)
{
	struct path *p = s->path;

	walk_from_tick(&p->from, s->context);
	return enter(p, s, path_callers(s, &p->from, p->fresh, config.depth));
}

uint32_t
path_node(struct slot *s, bool now)
{
	if (config.stack == FORMAT_STACK_OFF || s->root == 0)
		return s->root;
	if (!now || s->context == NULL)
		return none(s, FORMAT_CUT_LATE);
	if (!has_path(s))
		return none(s, no_path());
	/* One walk a tick, which may be counted in parts. */
	if (s->path_node == 0)
		s->path_node = enter_now(s);
	return s->path_node;
}

struct path_entry *
path_entry(struct slot *s)
{
	return config.stack == FORMAT_STACK_OFF || s->context == NULL ||
	    !has_path(s) ? NULL : s->path->entry;
}

uint32_t
path_of(struct slot *s, const struct walk_from *from, bool inside)
{
	struct path *p;
	unsigned n = 0;

	if (config.stack == FORMAT_STACK_OFF || s->root == 0)
		return s->root;
	if (from == NULL)
		return none(s, inside ? FORMAT_CUT_LATE : FORMAT_CUT_AWAKE);
	if (!has_path(s))
		return none(s, no_path());
	p = s->path;
	if (inside)
		p->fresh[n++] = from->pc | WALK_BROKEN_IN;
	n += path_callers(s, from, p->fresh + n, config.depth - n);
	if (from->stack != NULL &&
	    p->fresh[n - 1] == (WALK_CUT | FORMAT_CUT_MEMORY))
		p->fresh[n - 1] = WALK_CUT | FORMAT_CUT_COPY;
	return enter(p, s, n);
}
