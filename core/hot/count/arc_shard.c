/*
 * Context: S.  The arcs of one thread, in a hash table by address;
 * doc/design/calls.md.
 */
#include "count/arc_shard.h"

#include "base/mmap_area.h"
#include "base/str.h"

#define FIRST_ENTRIES	256u		/* 8 KiB */
#define MOST_ENTRIES	(1u << 26)
/* a table with fewer used entries than 1/SPARSE does not grow */
#define SPARSE		32u
/*
 * places of a hash; that many entries follow the last one, so that probing
 * never wraps
 */
#define PROBES		16u
#define STACK_BYTES	(16u << 10)	/* check-context finds a use of 4 KiB */
/* `self` of a removed entry; probing goes on past it */
#define REMOVED_ARC	ARC_SHARD_NO_ADDRESS

struct arc_entry {
	/* 0 free, REMOVED_ARC removed, else a complete entry */
	uintptr_t self;
	uintptr_t from;
	struct format_arc *arc;
	/* counter for the stubs: the arc's, or t->unwanted */
	uint64_t *count;
};

/* The stubs in core/arch/CPU/mcount.S know these. */
_Static_assert(offsetof(struct arc_shard, mask) == 0, "for stubs");
_Static_assert(sizeof(struct arc_shard) == 64, "for stubs");
_Static_assert(sizeof(struct arc_entry) == 32, "for stubs");
_Static_assert(offsetof(struct arc_entry, count) == 24, "for stubs");

static struct arc_entry *
shard_entries(struct arc_shard *t)
{
	return (struct arc_entry *)(t + 1);
}

static uint64_t
shard_entry_count(const struct arc_shard *t)
{
	return t->mask / sizeof(struct arc_entry) + 1;
}

static uint64_t
shard_mask_for(uint64_t n)
{
	return (n - 1) * sizeof(struct arc_entry);
}

/* Returns the first place of an arc.  The stubs compute it in the same way. */
static struct arc_entry *
shard_first_probe(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	uint64_t h = (from * 0x1e3779b1u + self) * 0x45ebca6bu;

	return (struct arc_entry *)((char *)shard_entries(t) + (h >> 27 &
	    t->mask));
}

uint64_t *
arc_shard_find(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct arc_entry *e = shard_first_probe(t, self, from);
	unsigned i;

	for (i = 0; i < PROBES && e[i].self != 0; i++)
		if (e[i].self == self && e[i].from == from)
			return e[i].count;
	return NULL;
}

static bool
is_same_arc(const struct format_arc *a, const struct format_arc *b)
{
	return a->self == b->self && a->from == b->from &&
	    a->self_module == b->self_module &&
	    a->from_module == b->from_module;
}

/*
 * Points the entry's counter to the arc's, or to t->unwanted while nothing is
 * to be counted, because the stubs do not check that.  A thread that pauses
 * first sets the bit and then searches for entries; a thread that adds an entry
 * first publishes it and then reads the bits.  So at least one of the two sees
 * the other's change.  The loop repeats if the bits or the arc have changed
 * meanwhile.
 */
static void
direct_arc_counter(struct arc_shard *t, struct arc_entry *e)
{
	struct format_arc *arc;
	unsigned paused;

	do {
		arc = __atomic_load_n(&e->arc, __ATOMIC_SEQ_CST);
		paused = atomic_load(&lineage.paused);
		__atomic_store_n(&e->count,
		    (paused & (LINEAGE_PAUSED | LINEAGE_UNTIMED)) != 0 ?
		    &t->unwanted : &arc->count, __ATOMIC_SEQ_CST);
	} while (atomic_load(&lineage.paused) != paused ||
	    __atomic_load_n(&e->arc, __ATOMIC_SEQ_CST) != arc);
}

/*
 * Fills an entry.  `self` is stored last, because a signal handler must find
 * the entry complete or not at all.
 */
static void
set_arc_entry(struct arc_shard *t, struct arc_entry *e, uintptr_t self,
    uintptr_t from, struct format_arc *arc)
{
	e->from = from;
	__atomic_store_n(&e->arc, arc, __ATOMIC_SEQ_CST);
	direct_arc_counter(t, e);
	__atomic_store_n(&e->self, self, __ATOMIC_SEQ_CST);
	/* a pause may have begun that did not see the entry */
	direct_arc_counter(t, e);
}

struct format_arc *
arc_shard_revive(struct arc_shard *t, uintptr_t self, uintptr_t from,
    const struct format_arc *key)
{
	struct arc_entry *e = shard_first_probe(t, self, from);
	unsigned i;

	for (i = 0; i < PROBES && e[i].self != 0; i++)
		if (e[i].self == REMOVED_ARC && is_same_arc(e[i].arc, key)) {
			set_arc_entry(t, &e[i], self, from, e[i].arc);
			return e[i].arc;
		}
	return NULL;
}

/*
 * Returns a place for a new entry, or NULL if there is none.  A removed entry
 * is used only if no other place is free, because its arc may come back.
 */
static struct arc_entry *
find_free_arc_entry(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct arc_entry *e = shard_first_probe(t, self, from), *out = NULL;
	unsigned i;

	for (i = 0; i < PROBES; i++) {
		if (e[i].self == 0)
			return &e[i];
		if (e[i].self == REMOVED_ARC && out == NULL)
			out = &e[i];
	}
	return out;
}

void
arc_shard_add(struct arc_shard *t, uintptr_t self, uintptr_t from,
    struct format_arc *arc)
{
	struct arc_entry *e = find_free_arc_entry(t, self, from);

	if (e == NULL)
		return;
	t->filled += e->self == 0;
	set_arc_entry(t, e, self, from, arc);
}

void *
arc_shard_stack(struct arc_shard *t)
{
	return t;
}

/*
 * Makes a shard with n entries and its stack, which lies below the table.  A
 * fork child finds it zeroed; if the kernel cannot do that, no shard is made.
 */
static struct arc_shard *
make_arc_shard(uint64_t n)
{
	size_t bytes = STACK_BYTES + sizeof(struct arc_shard) +
	    (n + PROBES) * sizeof(struct arc_entry);
	char *p;
	struct arc_shard *t;

	bytes = (bytes + config.page - 1) & ~(config.page - 1);
	p = mmap_area_alloc(bytes);
	if (p == NULL)
		return NULL;
	if (sys_madvise(p, bytes, MADV_WIPEONFORK) != 0) {
		/* a fork child would count in our file */
		mmap_area_unmap(p, bytes);
		return NULL;
	}
	t = (struct arc_shard *)(p + STACK_BYTES);
	t->mask = shard_mask_for(n);
	return t;
}

static void
publish_arc_shard(struct arc_shard *t)
{
	struct arc_shard *head = atomic_load(&mon->shards);

	t->tid = sys_gettid();
	atomic_store(&t->state, ARC_SHARD_USED);
	do
		t->next = head;
	while (!atomic_compare_exchange_weak(&mon->shards, &head, t));
}

void
arc_shard_clear(struct arc_shard *t)
{
	mem_zero(shard_entries(t), (shard_entry_count(t) + PROBES) *
	    sizeof(struct arc_entry));
	t->filled = 0;
	t->arcs = 0;
	t->used = 0;
}

static void
copy_arc_entries(struct arc_shard *to, struct arc_shard *from)
{
	struct arc_entry *e = shard_entries(from);
	uint64_t i, n = shard_entry_count(from) + PROBES;

	for (i = 0; i < n; i++)
		if (e[i].self != 0 && e[i].self != REMOVED_ARC)
			arc_shard_add(to, e[i].self, e[i].from, e[i].arc);
}

bool
arc_shard_claim(struct arc_shard *t)
{
	return !atomic_exchange(&t->busy, true);
}

void
arc_shard_release(struct arc_shard *t)
{
	atomic_store(&t->busy, false);
}

/*
 * Returns a shard of twice the size in place of t, or NULL if it cannot be had.
 */
static struct arc_shard *
grow_arc_shard(struct arc_shard *t)
{
	uint64_t n = shard_entry_count(t);
	unsigned before = atomic_load(&mon->unloads);
	struct arc_shard *larger;

	larger = 2 * n > MOST_ENTRIES || atomic_load(&mon->frozen) ? NULL :
	    make_arc_shard(2 * n);
	if (larger == NULL)
		return NULL;
	larger->generation = t->generation;
	larger->arcs = t->arcs;
	larger->used = t->used;
	atomic_store(&larger->busy, true);
	publish_arc_shard(larger);
	copy_arc_entries(larger, t);
	/*
	 * An arc may have been copied and then removed from the old shard
	 * alone.
	 */
	if (atomic_load(&mon->unloads) != before)
		mem_zero(shard_entries(larger), (2 * n + PROBES) *
		    sizeof(struct arc_entry));
	arc_shard_self = larger;
	/* The old shard stays claimed, because this code runs on its stack. */
	atomic_store(&t->state, ARC_SHARD_REPLACED);
	return larger;
}

static bool
is_shard_full_for(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	uint64_t n = shard_entry_count(t);

	if (2 * t->filled >= n)
		return true;
	/*
	 * Places that are crowded in an almost empty table are crowded in a
	 * larger one, too.
	 */
	return find_free_arc_entry(t, self, from) == NULL &&
	    SPARSE * t->filled >= n;
}

struct arc_shard *
arc_shard_make_room(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct arc_shard *larger = t;

	while (larger != NULL && is_shard_full_for(t, self, from)) {
		larger = grow_arc_shard(t);
		if (larger != NULL)
			t = larger;
	}
	return t;
}

/*
 * Takes over the shard of a thread that has said that it ends, and is gone.
 * Returns it or NULL.
 */
static struct arc_shard *
inherit_arc_shard(void)
{
	struct arc_shard *t = atomic_load(&mon->shards);
	unsigned left;
	int tid;

	for (; t != NULL; t = t->next) {
		left = ARC_SHARD_LEFT;
		tid = t->tid;
		if (atomic_load(&t->state) != ARC_SHARD_LEFT ||
		    sys_tgkill(mon->pid, tid, 0) != -ESRCH ||
		    !atomic_compare_exchange_strong(&t->state, &left,
		    ARC_SHARD_USED))
			continue;
		/* Another thread may have taken it, and left it, in between. */
		if (t->tid != tid) {
			atomic_store(&t->state, ARC_SHARD_LEFT);
			continue;
		}
		t->tid = sys_gettid();
		arc_shard_release(t);
		return t;
	}
	return NULL;
}

struct arc_shard *
arc_shard_get(void)
{
	struct arc_shard *t = arc_shard_self;

	if (t != NULL && t->mask != 0)
		return t;
	/* wiped, because this is a fork child */
	if (t != NULL) {
		t->mask = shard_mask_for(FIRST_ENTRIES);
		publish_arc_shard(t);
		return t;
	}
	t = inherit_arc_shard();
	if (t == NULL) {
		t = make_arc_shard(FIRST_ENTRIES);
		if (t != NULL)
			publish_arc_shard(t);
	}
	arc_shard_self = t;
	return t;
}

void
arc_shard_thread_exit(void)
{
	struct arc_shard *t = arc_shard_self;

	if (t != NULL && t->mask != 0)
		atomic_store(&t->state, ARC_SHARD_LEFT);
}

static void
direct_arc_counters(struct arc_shard *t)
{
	struct arc_entry *e = shard_entries(t);
	uint64_t i, n = shard_entry_count(t) + PROBES;

	for (i = 0; i < n; i++)
		if (__atomic_load_n(&e[i].self, __ATOMIC_SEQ_CST) > REMOVED_ARC)
			direct_arc_counter(t, &e[i]);
}

void
arc_shard_set_paused(unsigned who, bool paused)
{
	struct arc_shard *t = mon == NULL ? NULL : atomic_load(&mon->shards);

	lineage_set_paused(who, paused);
	for (; t != NULL; t = t->next)
		if (t->mask != 0)
			direct_arc_counters(t);
}

static void
remove_unmapped_arc(struct arc_entry *e, uintptr_t low, uintptr_t high)
{
	uintptr_t self = __atomic_load_n(&e->self, __ATOMIC_ACQUIRE);

	if (self <= REMOVED_ARC)
		return;
	if ((self >= low && self < high) ||
	    (e->from >= low && e->from < high))
		__atomic_compare_exchange_n(&e->self, &self, REMOVED_ARC, false,
		    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
arc_shard_forget_text(uintptr_t low, uintptr_t high)
{
	struct arc_shard *t;
	uint64_t i, n;

	atomic_fetch_add(&mon->unloads, 1);
	for (t = atomic_load(&mon->shards); t != NULL; t = t->next) {
		if (atomic_load(&t->state) == ARC_SHARD_REPLACED ||
		    t->mask == 0)
			continue;
		n = shard_entry_count(t) + PROBES;
		for (i = 0; i < n; i++)
			remove_unmapped_arc(&shard_entries(t)[i], low, high);
	}
}
