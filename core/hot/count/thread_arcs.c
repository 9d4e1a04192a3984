/*
 * Context: S.  The shard of a thread, for arc.c and the end of a thread; see
 * thread_arcs.h.  Only the shard's own thread calls this.
 */
#include "count/thread_arcs.h"

#include "base/mmap_area.h"
#include "base/str.h"
#include "count/arc_entry.h"

#define FIRST_ENTRIES	256u		/* 8 KiB */
#define MOST_ENTRIES	(1u << 26)
/* a table with fewer used entries than 1/SPARSE does not grow */
#define SPARSE		32u
#define STACK_BYTES	(16u << 10)	/* check-context finds a use of 4 KiB */

void *
thread_arcs_stack(struct arc_shard *t)
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
	    (n + ARC_SHARD_PROBES) * sizeof(struct arc_entry);
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
	t->mask = arc_shard_mask(n);
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

static void
copy_arc_entries(struct arc_shard *to, struct arc_shard *from)
{
	struct arc_entry *e = arc_shard_entries(from);
	uint64_t i, n = arc_shard_capacity(from) + ARC_SHARD_PROBES;

	for (i = 0; i < n; i++)
		if (e[i].self != 0 && e[i].self != ARC_SHARD_REMOVED)
			arc_shard_add(to, e[i].self, e[i].from, e[i].arc);
}

/*
 * Returns a shard of twice the size in place of t, claimed and published, or
 * NULL if it cannot be had.
 */
static struct arc_shard *
grow_arc_shard(struct arc_shard *t)
{
	uint64_t n = arc_shard_capacity(t);
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
		mem_zero(arc_shard_entries(larger), (2 * n + ARC_SHARD_PROBES) *
		    sizeof(struct arc_entry));
	arc_shard_self = larger;
	/* The old shard stays claimed, because this code runs on its stack. */
	atomic_store(&t->state, ARC_SHARD_REPLACED);
	return larger;
}

/* Returns whether the shard is to grow before the arc is added. */
static bool
is_shard_full_for(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	uint64_t n = arc_shard_capacity(t);

	if (2 * t->filled >= n)
		return true;
	/*
	 * Places that are crowded in an almost empty table are crowded in a
	 * larger one, too.
	 */
	return arc_shard_free_entry(t, self, from) == NULL &&
	    SPARSE * t->filled >= n;
}

struct arc_shard *
thread_arcs_make_room(struct arc_shard *t, uintptr_t self, uintptr_t from)
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
thread_arcs_get(void)
{
	struct arc_shard *t = arc_shard_self;

	if (t != NULL && t->mask != 0)
		return t;
	/* wiped, because this is a fork child */
	if (t != NULL) {
		t->mask = arc_shard_mask(FIRST_ENTRIES);
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
thread_arcs_end(void)
{
	struct arc_shard *t = arc_shard_self;

	if (t != NULL && t->mask != 0)
		atomic_store(&t->state, ARC_SHARD_LEFT);
}
