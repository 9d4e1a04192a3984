/*
 * Context: S.  Counts mappings, their ends and their peak, for map_hooks.c in
 * the thread that maps; see map_count.h.  mon->mapped points to the only table.
 */
#include "heap/map_count.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/robust_lock.h"
#include "thread/thread_slot.h"

/*
 * The table of mappings and its counters.  The holder of the lock owns all
 * fields below it, except the atomic ones.  A fork child finds zeros.
 */
struct map_count_state {
	_Atomic uint32_t lock;
	_Atomic bool forget;	/* forget what is live */
	bool anew;		/* make the next total a new peak */
	uint64_t since_era;	/* the era of that peak */
	/* the holder has blocked signals; `before` is the mask to restore */
	bool shut;
	sys_sigset before;
	unsigned generation;	/* of the store */
	_Atomic int64_t live;	/* bytes */
	struct map_table ranges;
};

/*
 * Makes the table of mappings, or returns the one that another thread has made
 * meanwhile, or NULL.
 */
static struct map_count_state *
create_map_state(void)
{
	struct map_count_state *t, *none = NULL;

	/* Behind a seccomp filter no further system call may be made. */
	if (atomic_load(&mon->frozen))
		return NULL;
	t = mmap_area_alloc(sizeof(*t));
	if (t == NULL)
		return NULL;
	if (sys_madvise(t, sizeof(*t), MADV_WIPEONFORK) == 0 &&
	    atomic_compare_exchange_strong(&mon->mapped, &none, t))
		return t;
	mmap_area_unmap(t, sizeof(*t));
	return none;
}

/* Empties the table: its mappings are not known any more. */
static void
forget_mappings(struct map_count_state *t)
{
	t->ranges.count = 0;
	t->live = 0;
}

/*
 * Takes the lock with signals blocked, so that no handler can interrupt the
 * holder and leave it by a jump.  Behind a seccomp filter signals cannot be
 * blocked, and a handler can.
 */
static enum robust_lock_result
lock_signals_blocked(struct map_count_state *t, const struct alloc_thread *l)
{
	const bool shut = !atomic_load(&mon->frozen);
	enum robust_lock_result told;
	sys_sigset before;

	if (shut)
		thread_slot_block_signals(&before);
	told = robust_lock_take(&t->lock, l->record);
	if (told != ROBUST_LOCK_TIMEOUT && shut)
		t->before = before;
	if (told != ROBUST_LOCK_TIMEOUT)
		t->shut = shut;
	else if (shut)
		thread_slot_restore_mask(&before);
	return told;
}

static struct format_memory *
map_memory_record(const struct alloc_thread *l)
{
	return alloc_thread_record(l, atomic_load(&mon->maps));
}

/* Counts the loss of a mapping, because there is no table. */
static void
count_without_table(void)
{
	loss_count(atomic_load(&mon->frozen) ? LOSS_HEAP_FROZEN :
	    LOSS_HEAP_MAPS, 1);
}

/*
 * Returns the table, locked by the alloc_thread's thread and emptied where it
 * does not hold any more; it makes the table if there is none.  Returns NULL if
 * it cannot be had, which is counted as a loss.
 */
static struct map_count_state *
hold_mappings(const struct alloc_thread *l)
{
	struct map_count_state *t = atomic_load(&mon->mapped);
	enum robust_lock_result told = ROBUST_LOCK_TIMEOUT;

	/*
	 * A call of its parent that a fork child continues: the table was the
	 * parent's.
	 */
	if (!alloc_thread_is_current(l))
		return NULL;
	if (t == NULL)
		t = create_map_state();
	if (t != NULL)
		told = lock_signals_blocked(t, l);
	if (t == NULL)
		count_without_table();
	else if (told != ROBUST_LOCK_TAKEN)
		loss_count(LOSS_HEAP_LEFT, 1);
	if (told == ROBUST_LOCK_TIMEOUT)
		return NULL;
	if (atomic_exchange(&t->forget, false)) {
		forget_mappings(t);
		t->anew = true;
		t->since_era = map_memory_record(l)->era + 1;
	} else if (told == ROBUST_LOCK_OWNER_DEAD ||
	    t->generation != l->generation) {
		forget_mappings(t);
	}
	t->generation = l->generation;
	return t;
}

static void
release_mappings(struct map_count_state *t)
{
	const sys_sigset before = t->before;
	const bool shut = t->shut;

	robust_lock_drop(&t->lock);
	if (shut)
		thread_slot_restore_mask(&before);
}

static uint64_t
mapped_bytes_of_path(const struct format_heap *h)
{
	return h->node.ns - h->freed_bytes;
}

/*
 * Notes what was live of the path at the last peak, if the path changes for the
 * first time since; see peak.c.
 */
static void
note_map_era(const struct map_count_state *t, struct format_heap *h,
    uint64_t era)
{
	if (h->era < t->since_era)
		h->high_bytes = mapped_bytes_of_path(h);
	if (h->era == era)
		return;
	h->peak_bytes = mapped_bytes_of_path(h);
	__atomic_store_n(&h->era, era, __ATOMIC_RELEASE);
}

/*
 * Adds to the bytes that are mapped, and notes a new peak.  The caller counts
 * the bytes in the path after that: if there is a new peak, what the path has
 * then is part of it.
 */
static void
add_mapped_bytes(struct alloc_thread *l, struct map_count_state *t,
    struct format_heap *h, uint64_t bytes)
{
	struct format_memory *m = map_memory_record(l);
	const bool anew = t->anew;

	t->anew = false;
	if (anew && !config.blocks)
		atomic_store(&mon->growing.high, 0);
	t->live += (int64_t)bytes;
	if (!anew && t->live <= (int64_t)m->peak_bytes) {
		note_map_era(t, h, m->era);
		return;
	}
	if (h->era < t->since_era)
		h->high_bytes = mapped_bytes_of_path(h);
	m->peak_bytes = t->live > 0 ? (uint64_t)t->live : 0;
	__atomic_store_n(&m->era, m->era + 1, __ATOMIC_RELEASE);
}

/* Arguments of count_removed_piece(). */
struct map_removal_walk {
	struct alloc_thread *thread;
	struct map_count_state *mapped;
	struct map_count_removal *off;	/* NULL: do not keep the pieces */
};

static struct map_count_piece *
removed_piece_at(struct map_count_removal *off, unsigned i)
{
	return i < MAP_COUNT_FEW ? &off->few[i] :
	    off->more == NULL ? NULL : &off->more[i - MAP_COUNT_FEW];
}

/*
 * Keeps a piece for the case that the call fails.  More than MAP_COUNT_FEW are
 * rare, but can be any number.
 */
static void
keep_removed_piece(struct map_count_removal *off, const struct map_range *range,
    bool last)
{
	struct map_count_piece *p;

	if (off->count == MAP_COUNT_FEW && off->more == NULL &&
	    !atomic_load(&mon->frozen))
		off->more = mmap_area_alloc(MAP_TABLE_MAX * sizeof(*off->more));
	p = removed_piece_at(off, off->count);
	off->lost += p == NULL;
	if (p == NULL)
		return;
	*p = (struct map_count_piece){ *range, last };
	off->count++;
}

/* Counts the end of a piece, for map_table_remove().  The lock is held. */
static void
count_removed_piece(void *arg, const struct map_range *piece, bool last)
{
	const struct map_removal_walk *k = arg;
	struct format_heap *h = alloc_thread_record(k->thread, piece->path);

	note_map_era(k->mapped, h, map_memory_record(k->thread)->era);
	k->mapped->live -= (int64_t)(piece->end - piece->start);
	h->freed_bytes += piece->end - piece->start;
	h->freed_blocks += last;
	if (k->off != NULL)
		keep_removed_piece(k->off, piece, last);
}

static void
remove_mapped_range(struct alloc_thread *l, struct map_count_state *t,
    uintptr_t start, uintptr_t end, struct map_count_removal *off)
{
	struct map_removal_walk k = { l, t, off };

	if (!map_table_remove(&t->ranges, start, end, count_removed_piece, &k))
		loss_count(LOSS_HEAP_MAPS, 1);
}

static void
count_mapping(struct alloc_thread *l, struct map_count_state *t,
    struct format_heap *h, uint64_t bytes, bool resized)
{
	if (h->alloc_thread == 0)
		h->alloc_thread = l->record;
	add_mapped_bytes(l, t, h, bytes);
	h->node.count++;
	h->node.ns += bytes;
	h->resized_blocks += resized;
	if (mapped_bytes_of_path(h) > h->high_bytes)
		h->high_bytes = mapped_bytes_of_path(h);
}

/*
 * Makes the call check the timeline where only mappings are counted.  Reading
 * the clock costs nothing beside a system call that maps, so no call is
 * skipped.
 */
static void
check_timeline_soon(struct alloc_thread *l)
{
	if (!config.blocks)
		l->quiet = 1;
}

void
map_count_add(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    uint32_t path, bool resized)
{
	struct map_count_state *t = hold_mappings(l);

	if (t == NULL)
		return;
	check_timeline_soon(l);
	remove_mapped_range(l, t, start, end, NULL);
	if (path != 0 && map_table_insert(&t->ranges,
	    &(struct map_range){ start, end, path, 0 }))
		count_mapping(l, t, alloc_thread_record(l, path), end - start,
		    resized);
	else if (path != 0)
		loss_count(LOSS_HEAP_MAPS, 1);
	release_mappings(t);
}

void
map_count_remove(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    struct map_count_removal *off)
{
	struct map_count_state *t = hold_mappings(l);

	if (t == NULL)
		return;
	check_timeline_soon(l);
	remove_mapped_range(l, t, start, end, off);
	release_mappings(t);
}

/* Puts a piece back into the table, and takes the count of its end back. */
static void
restore_piece(struct alloc_thread *l, struct map_count_state *t,
    const struct map_count_piece *p)
{
	const uint64_t bytes = p->range.end - p->range.start;
	struct format_heap *h = alloc_thread_record(l, p->range.path);

	if (!map_table_insert(&t->ranges, &p->range)) {
		loss_count(LOSS_HEAP_MAPS, 1);
		return;
	}
	add_mapped_bytes(l, t, h, bytes);
	h->freed_bytes -= bytes;
	h->freed_blocks -= p->last;
}

static void
restore_all_pieces(struct alloc_thread *l, struct map_count_removal *off)
{
	struct map_count_state *t = hold_mappings(l);

	if (t == NULL)
		return;
	for (unsigned i = 0; i < off->count; i++)
		restore_piece(l, t, removed_piece_at(off, i));
	release_mappings(t);
	loss_count(LOSS_HEAP_MAPS, off->lost);
}

void
map_count_finish_remove(struct alloc_thread *l, struct map_count_removal *off,
    bool failed)
{
	if (failed && off->count != 0)
		restore_all_pieces(l, off);
	if (off->more != NULL)
		mmap_area_unmap(off->more, MAP_TABLE_MAX * sizeof(*off->more));
}

uint64_t
map_count_live(void)
{
	struct map_count_state *t = atomic_load(&mon->mapped);
	const int64_t live = t == NULL || atomic_load(&t->forget) ? 0 :
	    atomic_load(&t->live);

	return live > 0 ? (uint64_t)live : 0;
}

void
map_count_forget(void)
{
	struct map_count_state *t = atomic_load(&mon->mapped);

	if (t != NULL)
		atomic_store(&t->forget, true);
}

void
map_count_recover(const struct alloc_thread *l)
{
	struct map_count_state *t = atomic_load(&mon->mapped);

	if (t != NULL && robust_lock_recover(&t->lock, l->record)) {
		forget_mappings(t);
		robust_lock_drop(&t->lock);
	}
}
