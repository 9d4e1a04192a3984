/*
 * Context: S.  Finds slots by an address or a thread's id; thread_slot.h and
 * thread_slot_index.h declare the functions, which any thread and any signal
 * handler may call.
 *
 * The first chunk, which most processes never exceed, is searched linearly.
 * The slots of later chunks are in two hash tables.  Neither has a lock,
 * because a tick can interrupt a thread that changes them, and nothing is ever
 * removed.
 */
#include "thread/thread_slot_index.h"

#include "base/mmap_area.h"
#include "thread/thread_slot_each.h"

#ifndef THREAD_SLOT_STEP
#define THREAD_SLOT_STEP	((void)0)	/* a test counts steps */
#endif

/* A chunk touches at most two windows of 64 KiB. */
#define WINDOW_SHIFT	16
#define PLACES		8192	/* a power of two, twice what all chunks take */
/* a power of two, twice the number of all slots */
#define THREADS		131072
#define WAYS		16	/* places in which a thread can be entered */

_Static_assert(THREAD_SLOT_CHUNK_BYTES <= 1u << WINDOW_SHIFT, "two windows");
_Static_assert(PLACES >= 4 * THREAD_SLOT_CHUNKS, "half of it is free");
_Static_assert(THREADS >= 2 * THREAD_SLOT_CHUNKS * THREAD_SLOT_CHUNK,
    "half of it is free");

/* The two hash tables. */
struct thread_slot_index {
	/* number of a chunk, by window; 0: none */
	_Atomic uint16_t chunk[PLACES];
	/* tid << 32 | slot number + 1, by tid; 0: none */
	_Atomic uint64_t thread[THREADS];
};

static bool
is_in_chunk(uintptr_t address, unsigned chunk)
{
	const uintptr_t low = (uintptr_t)thread_slot_chunk(chunk);

	return low != 0 && address - low < THREAD_SLOT_CHUNK_BYTES;
}

static unsigned
chunk_hash_place(uintptr_t window)
{
	return (unsigned)(window * 0x9e3779b97f4a7c15u >> 40) % PLACES;
}

/* Returns the chunk that holds this address, or THREAD_SLOT_CHUNKS. */
STATE_START static unsigned
find_chunk(uintptr_t address)
{
	struct thread_slot_index *x = atomic_load_explicit(&mon->index,
	    memory_order_acquire);
	unsigned chunk;

	if (is_in_chunk(address, 0))
		return 0;
	if (x == NULL)
		return THREAD_SLOT_CHUNKS;
	for (unsigned at = chunk_hash_place(address >> WINDOW_SHIFT); (chunk =
	    atomic_load(&x->chunk[at])) != 0; at = (at + 1) % PLACES) {
		THREAD_SLOT_STEP;
		if (is_in_chunk(address, chunk))
			return chunk;
	}
	return THREAD_SLOT_CHUNKS;
}

STATE_START bool
thread_slot_is_valid(const void *p)
{
	const uintptr_t a = (uintptr_t)p;
	const unsigned chunk = find_chunk(a);

	return chunk < atomic_load_explicit(&mon->chunks,
	    memory_order_acquire) && (a - (uintptr_t)thread_slot_chunk(chunk)) %
	    sizeof(struct thread_slot) == 0;
}

unsigned
thread_slot_number(const struct thread_slot *s)
{
	const unsigned chunk = find_chunk((uintptr_t)s);

	return chunk * THREAD_SLOT_CHUNK + (unsigned)(s -
	    thread_slot_chunk(chunk));
}

bool
thread_slot_index_make(void)
{
	struct thread_slot_index *none = NULL, *x;

	if (atomic_load(&mon->index) != NULL)
		return true;
	x = mmap_area_alloc(sizeof(*x));
	if (x == NULL)
		return false;
	if (!atomic_compare_exchange_strong(&mon->index, &none, x))
		mmap_area_unmap(x, sizeof(*x));
	return true;
}

/* Enters a chunk under one of its windows, unless it is there. */
static void
enter_chunk(struct thread_slot_index *x, uintptr_t window, unsigned chunk)
{
	unsigned at = chunk_hash_place(window);

	for (;; at = (at + 1) % PLACES) {
		uint16_t none = 0;

		THREAD_SLOT_STEP;
		if (atomic_compare_exchange_strong(&x->chunk[at], &none,
		    (uint16_t)chunk) || none == chunk)
			return;
	}
}

void
thread_slot_index_chunk(unsigned chunk)
{
	struct thread_slot_index *x = atomic_load(&mon->index);
	const uintptr_t low = (uintptr_t)thread_slot_chunk(chunk);
	const uintptr_t first = low >> WINDOW_SHIFT;
	const uintptr_t last =
	    (low + THREAD_SLOT_CHUNK_BYTES - 1) >> WINDOW_SHIFT;

	enter_chunk(x, first, chunk);
	if (last != first)
		enter_chunk(x, last, chunk);
}

static struct thread_slot *
slot_of_index_entry(uint64_t entry)
{
	const unsigned number = (uint32_t)entry - 1;

	return &thread_slot_chunk(number / THREAD_SLOT_CHUNK)[number %
	    THREAD_SLOT_CHUNK];
}

static _Atomic uint64_t *
index_ways_of_tid(struct thread_slot_index *x, int tid)
{
	/*
	 * The kernel gives out thread ids in sequence, so neighbors do not
	 * collide.
	 */
	return &x->thread[(unsigned)tid % (THREADS / WAYS) * WAYS];
}

/*
 * Returns whether the entry belongs to a thread that does not have this slot
 * any more.
 */
static bool
is_stale_index_entry(uint64_t entry)
{
	struct thread_slot *s;

	if (entry == 0)
		return true;
	s = slot_of_index_entry(entry);
	return atomic_load(&s->state) != THREAD_SLOT_LIVE ||
	    s->tid != (int)(entry >> 32);
}

STATE_START void
thread_slot_index_add(struct thread_slot *s)
{
	struct thread_slot_index *x = atomic_load(&mon->index);
	_Atomic uint64_t *way;
	uint64_t own;

	if (x == NULL || is_in_chunk((uintptr_t)s, 0))
		return;
	own = (uint64_t)(unsigned)s->tid << 32 | (thread_slot_number(s) + 1);
	way = index_ways_of_tid(x, s->tid);
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t old = atomic_load(&way[i]);

		THREAD_SLOT_STEP;
		if (old == own || (is_stale_index_entry(old) &&
		    atomic_compare_exchange_strong(&way[i], &old, own)))
			return;
	}
	atomic_store(&mon->index_full, true);
}

static void
visit_first_chunk(thread_slot_visit *visit, void *arg)
{
	for (unsigned i = 0; i < THREAD_SLOT_CHUNK; i++) {
		struct thread_slot *s = &mon->first_chunk[i];

		THREAD_SLOT_STEP;
		if (atomic_load_explicit(&s->state, memory_order_acquire) !=
		    THREAD_SLOT_FREE)
			visit(s, arg);
	}
}

/*
 * Visits the live slots of this thread, and maybe others.  Slots that were
 * entered before the call are certain to be visited.
 */
static void
visit_slots_of_tid(int tid, thread_slot_visit *visit, void *arg)
{
	struct thread_slot_index *x = atomic_load(&mon->index);
	_Atomic uint64_t *way;

	if (atomic_load(&mon->index_full)) {
		thread_slot_for_each(visit, arg);
		return;
	}
	visit_first_chunk(visit, arg);
	if (x == NULL)
		return;
	way = index_ways_of_tid(x, tid);
	for (unsigned i = 0; i < WAYS; i++) {
		const uint64_t entry = atomic_load(&way[i]);

		THREAD_SLOT_STEP;
		if (entry >> 32 == (unsigned)tid &&
		    !is_stale_index_entry(entry))
			visit(slot_of_index_entry(entry), arg);
	}
}

/* The argument of compare_tid(): a thread, and what was found. */
struct search {
	int tid;
	unsigned count;
	struct thread_slot *found;
};

static void
compare_tid(struct thread_slot *s, void *arg)
{
	struct search *q = arg;

	if (s->tid != q->tid || atomic_load(&s->state) != THREAD_SLOT_LIVE)
		return;
	q->found = s;
	q->count++;
}

/* The argument of compare_duplicate(): a slot, and the other one. */
struct pair {
	const struct thread_slot *self;
	struct thread_slot *twin;
};

static void
compare_duplicate(struct thread_slot *s, void *arg)
{
	struct pair *p = arg;

	if (s != p->self && !s->native && s->tid == p->self->tid &&
	    atomic_load(&s->state) == THREAD_SLOT_LIVE)
		p->twin = s;
}

struct thread_slot *
thread_slot_duplicate(const struct thread_slot *s)
{
	struct pair p = {s, NULL};

	visit_slots_of_tid(s->tid, compare_duplicate, &p);
	return p.twin;
}

struct thread_slot *
thread_slot_of_tid(int tid)
{
	struct search q = {tid, 0, NULL};

	visit_slots_of_tid(tid, compare_tid, &q);
	return q.found;
}

unsigned
thread_slot_count(int tid)
{
	struct search q = {tid, 0, NULL};

	visit_slots_of_tid(tid, compare_tid, &q);
	return q.count;
}

bool
thread_slot_tls_replaced(const struct thread_slot *s)
{
	if (!s->native || s->pointer == 0 || (!config.pointer_direct &&
	    atomic_load_explicit(&mon->frozen, memory_order_relaxed)))
		return false;
	return s->pointer != arch_thread_pointer(config.pointer_direct);
}

struct thread_slot *
thread_slot_current(void)
{
	struct thread_slot *s = NULL;

	/* Once a seccomp filter is set, gettid() may kill. */
	if (!atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		s = thread_slot_of_tid(sys_gettid());
	return s != NULL && thread_slot_tls_replaced(s) ? s : thread_slot_self;
}
