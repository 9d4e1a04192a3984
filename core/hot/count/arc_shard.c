/*
 * Context: S.  The arcs of one thread, in a hash table by address, for arc.c
 * and thread_arcs.c in that thread, and for whoever pauses counting or unmaps
 * text; see arc_shard.h, and doc/design/calls.md for how the stubs find an arc.
 */
#include "count/arc_shard.h"

#include "base/str.h"
#include "count/arc_entry.h"

/* Returns the first place of an arc.  The stubs compute it in the same way. */
static struct arc_entry *
shard_first_probe(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	uint64_t h = (from * 0x1e3779b1u + self) * 0x45ebca6bu;

	return (struct arc_entry *)((char *)arc_shard_entries(t) + (h >> 27 &
	    t->mask));
}

uint64_t *
arc_shard_find(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct arc_entry *e = shard_first_probe(t, self, from);

	for (unsigned i = 0; i < ARC_SHARD_PROBES && e[i].self != 0; i++)
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

	for (unsigned i = 0; i < ARC_SHARD_PROBES && e[i].self != 0; i++)
		if (e[i].self == ARC_SHARD_REMOVED && is_same_arc(e[i].arc,
		    key)) {
			set_arc_entry(t, &e[i], self, from, e[i].arc);
			return e[i].arc;
		}
	return NULL;
}

struct arc_entry *
arc_shard_free_entry(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct arc_entry *e = shard_first_probe(t, self, from), *out = NULL;

	for (unsigned i = 0; i < ARC_SHARD_PROBES; i++) {
		if (e[i].self == 0)
			return &e[i];
		if (e[i].self == ARC_SHARD_REMOVED && out == NULL)
			out = &e[i];
	}
	return out;
}

void
arc_shard_add(struct arc_shard *t, uintptr_t self, uintptr_t from,
    struct format_arc *arc)
{
	struct arc_entry *e = arc_shard_free_entry(t, self, from);

	if (e == NULL)
		return;
	t->filled += e->self == 0;
	set_arc_entry(t, e, self, from, arc);
}

void
arc_shard_clear(struct arc_shard *t)
{
	mem_zero(arc_shard_entries(t), (arc_shard_capacity(t) +
	    ARC_SHARD_PROBES) * sizeof(struct arc_entry));
	t->filled = 0;
	t->arcs = 0;
	t->used = 0;
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
 * Directs the counters of all arcs of a shard, which may be another thread's.
 */
static void
direct_arc_counters(struct arc_shard *t)
{
	struct arc_entry *e = arc_shard_entries(t);
	uint64_t i, n = arc_shard_capacity(t) + ARC_SHARD_PROBES;

	for (i = 0; i < n; i++)
		if (__atomic_load_n(&e[i].self,
		    __ATOMIC_SEQ_CST) > ARC_SHARD_REMOVED)
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

	if (self <= ARC_SHARD_REMOVED)
		return;
	if ((self >= low && self < high) ||
	    (e->from >= low && e->from < high))
		__atomic_compare_exchange_n(&e->self, &self, ARC_SHARD_REMOVED,
		    false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
arc_shard_forget_text(uintptr_t low, uintptr_t high)
{
	uint64_t n;

	atomic_fetch_add(&mon->unloads, 1);
	for (struct arc_shard *t = atomic_load(&mon->shards); t != NULL;
	    t = t->next) {
		if (atomic_load(&t->state) == ARC_SHARD_REPLACED ||
		    t->mask == 0)
			continue;
		n = arc_shard_capacity(t) + ARC_SHARD_PROBES;
		for (uint64_t i = 0; i < n; i++)
			remove_unmapped_arc(&arc_shard_entries(t)[i], low,
			    high);
	}
}
