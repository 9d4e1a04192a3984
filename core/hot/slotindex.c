/*
 * Context: S.  Finds slots by an address or a thread's number.
 *
 * The first chunk, which most processes never exceed, is searched linearly.
 * The slots of later chunks are in two hash tables.  Neither has a lock,
 * because a tick can interrupt a thread that changes them, and nothing is ever
 * removed.
 */
#include "slotindex.h"

#include "region.h"

#ifndef SLOT_STEP
#define SLOT_STEP	((void)0)	/* a test counts them */
#endif

#define WINDOW_SHIFT	16	/* a chunk lies in two windows of 64 KiB at most */
#define PLACES		8192	/* a power of two, twice what all chunks take */
#define THREADS		131072	/* the same, of threads */
#define WAYS		16	/* places where a thread can be */

_Static_assert(SLOT_CHUNK_BYTES <= 1u << WINDOW_SHIFT, "two windows");
_Static_assert(PLACES >= 4 * SLOT_CHUNKS, "half of it is free");
_Static_assert(THREADS >= 2 * SLOT_CHUNKS * SLOT_CHUNK, "half of it is free");

struct slot_index {
	_Atomic uint16_t chunk[PLACES];	/* its number; 0 none */
	_Atomic uint64_t thread[THREADS];	/* tid, number + 1; 0 none */
};

static bool
is_in(uintptr_t address, unsigned chunk)
{
	const uintptr_t low = (uintptr_t)slot_chunk(chunk);

	return low != 0 && address - low < SLOT_CHUNK_BYTES;
}

static unsigned
place_of(uintptr_t window)
{
	return (unsigned)(window * 0x9e3779b97f4a7c15u >> 40) % PLACES;
}

/* Returns the chunk that holds this address, or SLOT_CHUNKS. */
STATE_START static unsigned
find_chunk(uintptr_t address)
{
	struct slot_index *x = atomic_load_explicit(&mon->index,
	    memory_order_acquire);
	unsigned at, chunk;

	if (is_in(address, 0))
		return 0;
	if (x == NULL)
		return SLOT_CHUNKS;
	for (at = place_of(address >> WINDOW_SHIFT); (chunk =
	    atomic_load(&x->chunk[at])) != 0; at = (at + 1) % PLACES) {
		SLOT_STEP;
		if (is_in(address, chunk))
			return chunk;
	}
	return SLOT_CHUNKS;
}

STATE_START bool
slot_valid(const void *p)
{
	const uintptr_t a = (uintptr_t)p;
	const unsigned chunk = find_chunk(a);

	return chunk < atomic_load_explicit(&mon->chunks,
	    memory_order_acquire) &&
	    (a - (uintptr_t)slot_chunk(chunk)) % sizeof(struct slot) == 0;
}

unsigned
slot_number(const struct slot *s)
{
	const unsigned chunk = find_chunk((uintptr_t)s);

	return chunk * SLOT_CHUNK + (unsigned)(s - slot_chunk(chunk));
}

bool
slot_index_begin(void)
{
	struct slot_index *none = NULL, *x;

	if (atomic_load(&mon->index) != NULL)
		return true;
	x = region_memory(sizeof *x);
	if (x == NULL)
		return false;
	if (!atomic_compare_exchange_strong(&mon->index, &none, x))
		region_unmap(x, sizeof *x);
	return true;
}

static void
enter_chunk(struct slot_index *x, uintptr_t window, unsigned chunk)
{
	unsigned at = place_of(window);

	for (;; at = (at + 1) % PLACES) {
		uint16_t none = 0;

		SLOT_STEP;
		if (atomic_compare_exchange_strong(&x->chunk[at], &none,
		    (uint16_t)chunk) || none == chunk)
			return;
	}
}

void
slot_index_chunk(unsigned chunk)
{
	struct slot_index *x = atomic_load(&mon->index);
	const uintptr_t low = (uintptr_t)slot_chunk(chunk);
	const uintptr_t first = low >> WINDOW_SHIFT;
	const uintptr_t last = (low + SLOT_CHUNK_BYTES - 1) >> WINDOW_SHIFT;

	enter_chunk(x, first, chunk);
	if (last != first)
		enter_chunk(x, last, chunk);
}

static struct slot *
slot_in(uint64_t entry)
{
	const unsigned number = (uint32_t)entry - 1;

	return &slot_chunk(number / SLOT_CHUNK)[number % SLOT_CHUNK];
}

static _Atomic uint64_t *
ways_of(struct slot_index *x, int tid)
{
	/*
	 * The kernel gives numbers in sequence, so neighbours do not collide.
	 */
	return &x->thread[(unsigned)tid % (THREADS / WAYS) * WAYS];
}

/*
 * Returns whether the entry is of a thread that does not have this slot any
 * more.
 */
static bool
is_stale(uint64_t entry)
{
	struct slot *s;

	if (entry == 0)
		return true;
	s = slot_in(entry);
	return atomic_load(&s->state) != SLOT_LIVE ||
	    s->tid != (int)(entry >> 32);
}

STATE_START void
slot_enter(struct slot *s)
{
	struct slot_index *x = atomic_load(&mon->index);
	_Atomic uint64_t *way;
	uint64_t own;

	if (x == NULL || is_in((uintptr_t)s, 0))
		return;
	own = (uint64_t)(unsigned)s->tid << 32 | (slot_number(s) + 1);
	way = ways_of(x, s->tid);
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t old = atomic_load(&way[i]);

		SLOT_STEP;
		if (old == own || (is_stale(old) &&
		    atomic_compare_exchange_strong(&way[i], &old, own)))
			return;
	}
	atomic_store(&mon->index_full, true);
}

static void
visit_first_chunk(slot_visit *visit, void *arg)
{
	for (unsigned i = 0; i < SLOT_CHUNK; i++) {
		struct slot *s = &mon->first_chunk[i];

		SLOT_STEP;
		if (atomic_load_explicit(&s->state, memory_order_acquire) !=
		    SLOT_FREE)
			visit(s, arg);
	}
}

/*
 * Visits the live slots of this thread, and maybe others.  Slots that were
 * entered before the call are certain to be visited.
 */
static void
each_of(int tid, slot_visit *visit, void *arg)
{
	struct slot_index *x = atomic_load(&mon->index);
	_Atomic uint64_t *way;

	if (atomic_load(&mon->index_full)) {
		slot_each(visit, arg);
		return;
	}
	visit_first_chunk(visit, arg);
	if (x == NULL)
		return;
	way = ways_of(x, tid);
	for (unsigned i = 0; i < WAYS; i++) {
		const uint64_t entry = atomic_load(&way[i]);

		SLOT_STEP;
		if (entry >> 32 == (unsigned)tid && !is_stale(entry))
			visit(slot_in(entry), arg);
	}
}

struct search {
	int tid;
	unsigned count;
	struct slot *found;
};

static void
compare_tid(struct slot *s, void *arg)
{
	struct search *q = arg;

	if (s->tid != q->tid || atomic_load(&s->state) != SLOT_LIVE)
		return;
	q->found = s;
	q->count++;
}

struct pair {
	const struct slot *self;
	struct slot *twin;
};

static void
compare_twin(struct slot *s, void *arg)
{
	struct pair *p = arg;

	if (s != p->self && !s->native && s->tid == p->self->tid &&
	    atomic_load(&s->state) == SLOT_LIVE)
		p->twin = s;
}

struct slot *
slot_twin(const struct slot *s)
{
	struct pair p = {s, NULL};

	each_of(s->tid, compare_twin, &p);
	return p.twin;
}

struct slot *
slot_of(int tid)
{
	struct search q = {tid, 0, NULL};

	each_of(tid, compare_tid, &q);
	return q.found;
}

unsigned
slot_count(int tid)
{
	struct search q = {tid, 0, NULL};

	each_of(tid, compare_tid, &q);
	return q.count;
}

bool
slot_is_away(const struct slot *s)
{
	if (!s->native || s->pointer == 0 || (!config.pointer_direct &&
	    atomic_load_explicit(&mon->frozen, memory_order_relaxed)))
		return false;
	return s->pointer != arch_thread_pointer(config.pointer_direct);
}

struct slot *
slot_here(void)
{
	struct slot *s = NULL;

	/* Behind seccomp gettid() may kill. */
	if (!atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		s = slot_of(sys_gettid());
	return s != NULL && slot_is_away(s) ? s : slot_self;
}
