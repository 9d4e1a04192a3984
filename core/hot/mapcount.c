/* Context: S.  Mappings counted; see mapcount.h. */
#include "mapcount.h"

#include "heapcount.h"
#include "lock.h"
#include "region.h"
#include "slot.h"

/* All below is of who holds the lock.  Zero in a fork child. */
struct mapped {
	_Atomic uint32_t lock;
	_Atomic bool forget;	/* forget what is live */
	bool anew;		/* make the next total a new peak */
	uint64_t since_era;	/* the era of that peak */
	bool shut;		/* signals are, `before` is the mask else */
	sys_sigset before;
	unsigned generation;	/* of the store */
	_Atomic int64_t live;	/* bytes */
	struct ranges ranges;
};

static struct mapped *
make(void)
{
	struct mapped *t, *none = NULL;

	/* Not one more system call. */
	if (atomic_load(&mon->frozen))
		return NULL;
	t = region_memory(sizeof *t);
	if (t == NULL)
		return NULL;
	if (sys_madvise(t, sizeof *t, MADV_WIPEONFORK) == 0 &&
	    atomic_compare_exchange_strong(&mon->mapped, &none, t))
		return t;
	region_unmap(t, sizeof *t);
	return none;
}

/* What was there is known no more. */
static void
empty(struct mapped *t)
{
	t->ranges.count = 0;
	t->live = 0;
}

/* No handler comes between that could leave it; behind seccomp one may. */
static enum lock_told
lock_shut(struct mapped *t, const struct lane *l)
{
	const bool shut = !atomic_load(&mon->frozen);
	enum lock_told told;
	sys_sigset before;

	if (shut)
		slot_shut(&before);
	told = lock_take(&t->lock, l->record);
	if (told != LOCK_NOT && shut)
		t->before = before;
	if (told != LOCK_NOT)
		t->shut = shut;
	else if (shut)
		slot_unshut(&before);
	return told;
}

static struct format_memory *
memory(const struct lane *l)
{
	return lane_at(l, atomic_load(&mon->maps));
}

/* Counts mappings that could not be counted, as there is no table. */
static void
count_tableless(void)
{
	loss_count(atomic_load(&mon->frozen) ? LOSS_HEAP_FROZEN :
	    LOSS_HEAP_MAPS, 1);
}

static struct mapped *
hold(const struct lane *l)
{
	struct mapped *t = atomic_load(&mon->mapped);
	enum lock_told told = LOCK_NOT;

	/* A call that a fork child goes on with: its parent's were there. */
	if (!lane_is_current(l))
		return NULL;
	if (t == NULL)
		t = make();
	if (t != NULL)
		told = lock_shut(t, l);
	if (t == NULL)
		count_tableless();
	else if (told != LOCK_TAKEN)
		loss_count(LOSS_HEAP_LEFT, 1);
	if (told == LOCK_NOT)
		return NULL;
	if (atomic_exchange(&t->forget, false)) {
		empty(t);
		t->anew = true;
		t->since_era = memory(l)->era + 1;
	} else if (told == LOCK_LEFT || t->generation != l->generation) {
		empty(t);
	}
	t->generation = l->generation;
	return t;
}

static void
drop(struct mapped *t)
{
	const sys_sigset before = t->before;
	const bool shut = t->shut;

	lock_drop(&t->lock);
	if (shut)
		slot_unshut(&before);
}

static uint64_t
live_of(const struct format_heap *h)
{
	return h->node.ns - h->freed_bytes;
}

/* It changes for the first time since the last peak, as peak.c says. */
static void
note(const struct mapped *t, struct format_heap *h, uint64_t era)
{
	if (h->era < t->since_era)
		h->high_bytes = live_of(h);
	if (h->era == era)
		return;
	h->peak_bytes = live_of(h);
	__atomic_store_n(&h->era, era, __ATOMIC_RELEASE);
}

/* Before the path has it: with a new peak what it has then is in that. */
static void
live_more(struct lane *l, struct mapped *t, struct format_heap *h,
    uint64_t bytes)
{
	struct format_memory *m = memory(l);
	const bool anew = t->anew;

	t->anew = false;
	if (anew && !config.blocks)
		atomic_store(&mon->growing.high, 0);
	t->live += (int64_t)bytes;
	if (!anew && t->live <= (int64_t)m->peak_bytes) {
		note(t, h, m->era);
		return;
	}
	if (h->era < t->since_era)
		h->high_bytes = live_of(h);
	m->peak_bytes = t->live > 0 ? (uint64_t)t->live : 0;
	__atomic_store_n(&m->era, m->era + 1, __ATOMIC_RELEASE);
}

struct taking {
	struct lane *lane;
	struct mapped *mapped;
	struct mapcount_off *off;	/* NULL: they have ended */
};

static struct mapcount_piece *
piece_at(struct mapcount_off *off, unsigned i)
{
	return i < MAPCOUNT_FEW ? &off->few[i] :
	    off->more == NULL ? NULL : &off->more[i - MAPCOUNT_FEW];
}

/* More than few are seldom, and then there can be any number. */
static void
keep(struct mapcount_off *off, const struct range *range, bool last)
{
	struct mapcount_piece *p;

	if (off->count == MAPCOUNT_FEW && off->more == NULL &&
	    !atomic_load(&mon->frozen))
		off->more = region_memory(RANGES_MOST * sizeof *off->more);
	p = piece_at(off, off->count);
	off->lost += p == NULL;
	if (p == NULL)
		return;
	*p = (struct mapcount_piece){ *range, last };
	off->count++;
}

static void
gone(void *arg, const struct range *piece, bool last)
{
	const struct taking *k = arg;
	struct format_heap *h = lane_at(k->lane, piece->path);

	note(k->mapped, h, memory(k->lane)->era);
	k->mapped->live -= (int64_t)(piece->end - piece->start);
	h->freed_bytes += piece->end - piece->start;
	h->freed_blocks += last;
	if (k->off != NULL)
		keep(k->off, piece, last);
}

static void
take(struct lane *l, struct mapped *t, uintptr_t start, uintptr_t end,
    struct mapcount_off *off)
{
	struct taking k = { l, t, off };

	if (!ranges_take(&t->ranges, start, end, gone, &k))
		loss_count(LOSS_HEAP_MAPS, 1);
}

static void
count(struct lane *l, struct mapped *t, struct format_heap *h, uint64_t bytes,
    bool resized)
{
	if (h->lane == 0)
		h->lane = l->record;
	live_more(l, t, h, bytes);
	h->node.count++;
	h->node.ns += bytes;
	h->resized_blocks += resized;
	if (live_of(h) > h->high_bytes)
		h->high_bytes = live_of(h);
}

/*
 * Beside such a call to ask the clock is nothing: what there is to see is seen.
 */
static void
look_soon(struct lane *l)
{
	if (!config.blocks)
		l->quiet = 1;
}

void
mapcount_given(struct lane *l, uintptr_t start, uintptr_t end,
    const struct heap_from *from, bool resized)
{
	const uint32_t path = lineage_is(LINEAGE_UNHEAPED) ? 0 :
	    heapcount_map_path(l, from);
	struct mapped *t = hold(l);

	if (t == NULL)
		return;
	look_soon(l);
	take(l, t, start, end, NULL);
	if (path != 0 && ranges_enter(&t->ranges, &(struct range){ start, end,
	    path, 0 }))
		count(l, t, lane_at(l, path), end - start, resized);
	else if (path != 0)
		loss_count(LOSS_HEAP_MAPS, 1);
	drop(t);
}

void
mapcount_take(struct lane *l, uintptr_t start, uintptr_t end,
    struct mapcount_off *off)
{
	struct mapped *t = hold(l);

	if (t == NULL)
		return;
	look_soon(l);
	take(l, t, start, end, off);
	drop(t);
}

static void
put_back(struct lane *l, struct mapped *t, const struct mapcount_piece *p)
{
	const uint64_t bytes = p->range.end - p->range.start;
	struct format_heap *h = lane_at(l, p->range.path);

	if (!ranges_enter(&t->ranges, &p->range)) {
		loss_count(LOSS_HEAP_MAPS, 1);
		return;
	}
	live_more(l, t, h, bytes);
	h->freed_bytes -= bytes;
	h->freed_blocks -= p->last;
}

static void
put_all_back(struct lane *l, struct mapcount_off *off)
{
	struct mapped *t = hold(l);
	unsigned i;

	if (t == NULL)
		return;
	for (i = 0; i < off->count; i++)
		put_back(l, t, piece_at(off, i));
	drop(t);
	loss_count(LOSS_HEAP_MAPS, off->lost);
}

void
mapcount_taken(struct lane *l, struct mapcount_off *off, bool failed)
{
	if (failed && off->count != 0)
		put_all_back(l, off);
	if (off->more != NULL)
		region_unmap(off->more, RANGES_MOST * sizeof *off->more);
}

uint64_t
mapcount_live(void)
{
	struct mapped *t = atomic_load(&mon->mapped);
	const int64_t live = t == NULL || atomic_load(&t->forget) ? 0 :
	    atomic_load(&t->live);

	return live > 0 ? (uint64_t)live : 0;
}

void
mapcount_forget(void)
{
	struct mapped *t = atomic_load(&mon->mapped);

	if (t != NULL)
		atomic_store(&t->forget, true);
}

void
mapcount_left(const struct lane *l)
{
	struct mapped *t = atomic_load(&mon->mapped);

	if (t != NULL && lock_take_left(&t->lock, l->record)) {
		empty(t);
		lock_drop(&t->lock);
	}
}
