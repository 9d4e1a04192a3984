/*
 * Context: S.  The calling-context tree in the profile file, for samples and
 * call paths of allocations, in any thread and any signal handler; see cct.h.
 *
 * The tree itself is in the file: nodes linked under their parents.  Beside it
 * stand lookup tables of node indexes, each at least twice as large as the one
 * before, made as they fill.  A node that is found in an older table is entered
 * in the newest.  The tables can be lost at any time: then a second node with
 * the same key may be made, and readers add the two up.
 */
#include "count/cct.h"

#include "base/wiped_memory.h"
#include "store/store.h"

#define FIRST_SLOTS	2048u	/* 8 KiB: two pages for a small profile */
#define PROBES		16u

static uint32_t
hash_node_key(uint32_t parent, uint32_t kind, uint32_t module, uint64_t address)
{
	uint64_t h = address * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)parent << 32 | (module << 4 | kind)) *
	    0xc2b2ae3d27d4eb4fu;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	return (uint32_t)(h >> 32);
}

static struct cct_table *
make_cct_table(uint32_t slots)
{
	struct cct_table *t;

	t = wiped_memory_alloc(sizeof(*t) +
	    (uint64_t)slots * sizeof(t->entry[0]));
	if (t == NULL)
		return NULL;
	t->mask = slots - 1;
	return t;
}

/*
 * Returns the newest table: a new one of at least `slots` slots if it can be
 * made, else t, which is the newest of the n that exist.
 */
static struct cct_table *
add_cct_table(unsigned n, struct cct_table *t, uint32_t slots)
{
	struct cct_table *fresh, *none = NULL;

	if (t != NULL && slots < 2 * (t->mask + 1))
		slots = 2 * (t->mask + 1);
	if (n == CCT_TABLES || atomic_load(&mon->frozen))
		return t;
	fresh = make_cct_table(slots);
	if (fresh == NULL)
		return t;
	if (!atomic_compare_exchange_strong(&mon->tree[n], &none, fresh)) {
		wiped_memory_free(fresh, sizeof(*fresh) +
		    ((uint64_t)fresh->mask + 1) * sizeof(fresh->entry[0]));
		return none;
	}
	atomic_store_explicit(&mon->trees, n + 1, memory_order_release);
	return fresh;
}

static struct cct_table *
cct_table_before(unsigned n)
{
	return n == 0 ? NULL : atomic_load_explicit(&mon->tree[n - 1],
	    memory_order_acquire);
}

/*
 * Returns the newest table, with room for so many more nodes: it is at most
 * half full then.  Makes one if need be and possible.
 */
static struct cct_table *
newest_cct_table(uint32_t nodes)
{
	unsigned n = atomic_load_explicit(&mon->trees, memory_order_acquire);
	struct cct_table *t = cct_table_before(n);
	uint32_t slots = FIRST_SLOTS;

	if (t != NULL && (uint64_t)atomic_load_explicit(&t->filled,
	    memory_order_relaxed) + nodes <= t->mask / 2 + 1)
		return t;
	while (slots / 2 < nodes)
		slots *= 2;
	return add_cct_table(n, t, slots);
}

static bool
is_node_key(const struct format_node *n, uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address)
{
	return n->address == address && n->parent == parent &&
	    n->module == module && n->kind == kind;
}

/* Enters a node in a table, from place `at` on.  t may be NULL. */
static void
enter_in_cct_table(struct cct_table *t, uint32_t at, uint32_t index)
{
	uint32_t none;

	if (t == NULL)
		return;
	for (uint32_t i = 0; i < PROBES; i++) {
		none = 0;
		if (atomic_compare_exchange_strong_explicit(
		    &t->entry[(at + i) & t->mask], &none, index,
		    memory_order_release, memory_order_relaxed)) {
			atomic_fetch_add_explicit(&t->filled, 1,
			    memory_order_relaxed);
			return;
		}
	}
	/* The place is crowded: its first entry is replaced. */
	atomic_store_explicit(&t->entry[at & t->mask], index,
	    memory_order_release);
}

/*
 * Looks for a node with that key in a table, from place `at` on.  Returns its
 * index, or 0.  base: the mapping of the nodes.
 */
static uint32_t
lookup_in_cct_table(const unsigned char *base, struct cct_table *t, uint32_t at,
    uint32_t parent, uint32_t kind, uint32_t module, uint64_t address)
{
	uint32_t index;

	for (uint32_t i = 0; t != NULL && i < PROBES; i++) {
		index = atomic_load_explicit(&t->entry[(at + i) & t->mask],
		    memory_order_acquire);
		if (index == 0)
			return 0;
		if (is_node_key((const struct format_node *)(base +
		    (uint64_t)index * FORMAT_UNIT), parent, kind, module,
		    address))
			return index;
	}
	return 0;
}

/*
 * Links a complete node under its parent.  This one store makes the node exist
 * for readers.
 */
static void
publish_node(uint32_t index)
{
	struct format_node *n = store_at(index);
	struct format_node *parent = store_at(n->parent);
	uint32_t head = __atomic_load_n(&parent->child, __ATOMIC_RELAXED);

	do
		n->sibling = head;
	while (!__atomic_compare_exchange_n(&parent->child, &head, index, true,
	    __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/*
 * Makes a node that no reader sees yet.  Returns its index, or 0 if there is no
 * room.
 */
static uint32_t
make_node(uint32_t parent, uint32_t kind, uint32_t module, uint64_t address)
{
	struct format_node *n;
	uint32_t index;

	index = store_take(format_has_heap(kind) ? sizeof(struct format_heap) :
	    sizeof(*n));
	if (index == 0)
		return 0;
	n = store_at(index);
	n->parent = parent;
	n->kind = kind;
	n->module = module;
	n->address = address;
	return index;
}

/*
 * Looks for a node in all tables, the newest first.  Returns its index, or 0 if
 * no table has it.  *old: the newest table does not have it.
 */
static uint32_t
lookup_in_all_tables(const unsigned char *base, uint32_t at, uint32_t parent,
    uint32_t kind, uint32_t module, uint64_t address, bool *old)
{
	const unsigned n = atomic_load_explicit(&mon->trees,
	    memory_order_acquire);
	uint32_t index = 0;
	unsigned i = n;

	while (i > 0 && index == 0)
		index = lookup_in_cct_table(base,
		    atomic_load_explicit(&mon->tree[--i], memory_order_acquire),
		    at, parent, kind, module, address);
	*old = i + 1 != n;
	return index;
}

uint32_t
cct_find(const unsigned char *base, uint32_t parent, uint32_t kind,
    uint32_t module, uint64_t address)
{
	const uint32_t at = hash_node_key(parent, kind, module, address);
	struct cct_table *t = cct_table_before(atomic_load(&mon->trees));
	bool old;
	const uint32_t index = lookup_in_all_tables(base, at, parent, kind,
	    module, address, &old);

	if (index != 0 && old)
		enter_in_cct_table(t, at, index);
	return index;
}

struct format_node *
cct_find_or_add(uint32_t parent, uint32_t kind, uint32_t module,
    uint64_t address)
{
	const uint32_t at = hash_node_key(parent, kind, module, address);
	struct cct_table *t = newest_cct_table(1);
	bool old;
	uint32_t index = lookup_in_all_tables(mon->store.base, at, parent, kind,
	    module, address, &old);

	if (index != 0) {
		if (old)
			enter_in_cct_table(t, at, index);
		return store_at(index);
	}
	index = make_node(parent, kind, module, address);
	if (index == 0)
		return NULL;
	publish_node(index);
	enter_in_cct_table(t, at, index);
	return store_at(index);
}

void
cct_reserve(uint32_t nodes)
{
	newest_cct_table(nodes);
}

uint32_t
cct_add_root(void)
{
	return make_node(0, FORMAT_ROOT, 0, 0);
}

void
cct_mark(struct format_node *n, bool known)
{
	if (known ? n->how == FORMAT_HOW_UNMAPPED :
	    n->count == 0 && n->child == 0)
		__atomic_store_n(&n->how, known ? FORMAT_HOW_PC :
		    FORMAT_HOW_UNMAPPED, __ATOMIC_RELAXED);
}

uint32_t
cct_index(const struct format_node *n)
{
	return (uint32_t)(((const unsigned char *)n - mon->store.base) /
	    FORMAT_UNIT);
}

void
cct_count(struct format_node *n, uint64_t count, uint64_t ns)
{
	__atomic_fetch_add(&n->ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&n->count, count, __ATOMIC_RELAXED);
}

void
cct_reset(void)
{
	unsigned i, n = atomic_exchange(&mon->trees, 0);

	/*
	 * The tables are not unmapped, because another handler may be reading
	 * them.  This happens once for each lost file.
	 */
	for (i = 0; i < n; i++)
		atomic_store(&mon->tree[i], NULL);
}
