/*
 * Context: S.  Allocation thread records: their memory, owners and records in
 * the file, for counted calls (alloc_slow.c, alloc_count_enter.c), forks and
 * ends of threads; see alloc_thread.h.  mon->alloc_threads lists all; none is
 * ever unmapped once it is there.
 */
#include "heap/alloc_thread.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/str.h"
#include "base/vfork_child.h"
#include "base/wiped_memory.h"
#include "count/cct.h"
#include "heap/alloc_sample.h"
#include "heap/map_count.h"
#include "heap_live/peak.h"
#include "heap_paths/path_cache.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "store/store_create.h"

/*
 * A search takes 6 KiB of stack, and the kernel's frame of a fault up to 12
 * KiB.
 */
#define STACK_BYTES	(24u << 10)

/* core/arch/CPU/heap.S relies on these offsets. */
_Static_assert(offsetof(struct alloc_thread, until) == 8, "for stubs");
_Static_assert(offsetof(struct alloc_thread, last) == 16, "for stubs");
_Static_assert(offsetof(struct alloc_thread, blocks) == 24, "for stubs");

__thread struct alloc_thread *alloc_thread_self;

void *
alloc_thread_stack(struct alloc_thread *l)
{
	return l;
}

bool
alloc_thread_is_on_stack(const struct alloc_thread *l, uintptr_t sp)
{
	return (uintptr_t)l - sp <= STACK_BYTES;
}

static size_t
alloc_thread_bytes(void)
{
	return (STACK_BYTES + sizeof(struct alloc_thread) + path_cache_bytes() +
	    config.page - 1) & ~(config.page - 1);
}

/*
 * Maps memory for an alloc_thread: its stack lies below it, the buffers of its
 * path cache above.  In a fork child the memory is wiped, and alloc_thread_self
 * still points to it; alloc_thread_acquire() starts such an alloc_thread anew.
 */
static struct alloc_thread *
map_alloc_thread(void)
{
	const size_t bytes = alloc_thread_bytes();
	char *p = mmap_area_alloc(bytes);

	if (p == NULL)
		return NULL;
	if (sys_madvise(p, bytes, MADV_WIPEONFORK) != 0) {
		/* a fork child would count in this process's file */
		mmap_area_unmap(p, bytes);
		return NULL;
	}
	return (struct alloc_thread *)(p + STACK_BYTES);
}

/* Initializes an alloc_thread, new or wiped by a fork. */
static void
init_alloc_thread(struct alloc_thread *l)
{
	l->quiet = l->quiet_for = 1;
	l->random = (uint64_t)sys_clock(CLOCK_MONOTONIC) << 24 ^
	    (uint64_t)sys_gettid();
	path_cache_init(&l->path_cache, l + 1, l->random);
	l->until = config.heap_period == 0 ? 0 :
	    alloc_sample_interval(&l->random, config.heap_period);
}

/*
 * Returns the id of the thread that goes on with the caller's thread-local
 * variables: in a vfork child it is the parent's thread.  Returns 0 if that one
 * is not known.
 */
static int
find_owner_tid(void)
{
	if (thread_slot_self != NULL && thread_slot_self->tid != 0)
		return thread_slot_self->tid;
	return vfork_child_is_possible() ? 0 : sys_gettid();
}

/*
 * Makes thread tid the owner, and enters the alloc_thread in the list of all.
 * Returns false if there is no memory for its counter.
 */
static bool
publish_alloc_thread(struct alloc_thread *l, int tid)
{
	struct alloc_thread *head = atomic_load(&mon->alloc_threads);
	struct live_bytes_counter *s = live_bytes_create();

	if (s == NULL)
		return false;
	l->live_counter = s;
	l->tid = tid;
	atomic_store(&l->state, ALLOC_THREAD_USED);
	do
		l->next = head;
	while (!atomic_compare_exchange_weak(&mon->alloc_threads, &head, l));
	return true;
}

void
alloc_thread_recover(struct alloc_thread *l)
{
	struct live_block b;

	if (l->blocks != NULL)
		live_blocks_recover(l->blocks, &l->user);
	/* The program never got this block, and will not free it. */
	if ((l->last & ALLOC_THREAD_UNCOUNTED) != 0)
		live_blocks_remove(l->blocks, &l->user,
		    l->last & ~ALLOC_THREAD_UNCOUNTED, &b);
	l->last = 0;
	path_cache_forget_last(&l->path_cache);
	peak_recover(l);
	map_count_recover(l);
	l->mapping = 0;
	l->quiet = 1;	/* it may have been about to check the timeline */
	loss_count(LOSS_HEAP_LEFT, 1);
	/* comes last: a handler may leave this function as well */
	l->inside = 0;
}

/*
 * Takes over for thread own_tid an alloc_thread whose thread has ended and is
 * gone.  Returns NULL if there is none.
 */
static struct alloc_thread *
reuse_alloc_thread(int own_tid)
{
	struct alloc_thread *l = atomic_load(&mon->alloc_threads);
	unsigned left;
	int tid;

	for (; l != NULL; l = l->next) {
		left = ALLOC_THREAD_ENDING;
		tid = l->tid;
		if (atomic_load(&l->state) != ALLOC_THREAD_ENDING ||
		    sys_tgkill(mon->pid, tid, 0) != -ESRCH ||
		    !atomic_compare_exchange_strong(&l->state, &left,
		    ALLOC_THREAD_USED))
			continue;
		/*
		 * Another thread may have taken the alloc_thread over, and
		 * ended, since `tid` was read.
		 */
		if (l->tid != tid) {
			atomic_store(&l->state, ALLOC_THREAD_ENDING);
			continue;
		}
		l->tid = own_tid;
		if (l->inside != 0)
			alloc_thread_recover(l);
		l->last = 0;
		path_cache_forget_last(&l->path_cache);
		return l;
	}
	return NULL;
}

/* Makes an alloc_thread for thread tid, or returns NULL. */
static struct alloc_thread *
create_alloc_thread(int tid)
{
	struct alloc_thread *l = map_alloc_thread();

	if (l == NULL)
		return NULL;
	init_alloc_thread(l);
	if (publish_alloc_thread(l, tid))
		return l;
	mmap_area_unmap((char *)l - STACK_BYTES, alloc_thread_bytes());
	return NULL;
}

struct alloc_thread *
alloc_thread_acquire(void)
{
	struct alloc_thread *l = alloc_thread_self;
	const int tid = find_owner_tid();

	if (tid == 0)
		return NULL;
	if (l == NULL)
		l = reuse_alloc_thread(tid);
	if (l == NULL)
		l = create_alloc_thread(tid);
	/* A fork child's alloc_thread, wiped by the fork. */
	if (l != NULL && atomic_load(&l->state) == 0) {
		init_alloc_thread(l);
		if (!publish_alloc_thread(l, tid))
			return NULL;
	}
	if (thread_slot_self != NULL)
		thread_slot_self->alloc = l;
	alloc_thread_self = l;
	return l;
}

void
alloc_thread_exit(void)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l != NULL && atomic_load(&l->state) == ALLOC_THREAD_USED)
		atomic_store(&l->state, ALLOC_THREAD_ENDING);
}

void
alloc_thread_died(struct alloc_thread *l, int tid)
{
	unsigned used = ALLOC_THREAD_USED;

	if (l != NULL && l->tid == tid)
		atomic_compare_exchange_strong(&l->state, &used,
		    ALLOC_THREAD_ENDING);
}

/*
 * Returns the table of live blocks for that generation of the store, which it
 * makes if there is none, or NULL.
 */
static struct live_block_table *
blocks_of_generation(unsigned generation)
{
	struct live_block_table *t = atomic_load(&mon->blocks), *fresh;

	if (t != NULL && live_blocks_generation(t) == generation)
		return t;
	fresh = live_blocks_create(config.heap_size, generation);
	if (fresh == NULL)
		return NULL;
	/*
	 * No table is unmapped: neither the previous one, which another thread
	 * may be using, nor one that lost the race.  That is one table for each
	 * lost file, and one for each race.
	 */
	return atomic_compare_exchange_strong(&mon->blocks, &t, fresh) ?
	    fresh : t;
}

/*
 * Makes a format_memory, one in each file for blocks and one for mappings.
 * *record: its index, 0: none yet; link: the header's field for the index;
 * period: mean bytes between chosen blocks, 0: all are counted.  Returns false
 * if the file has no room.
 */
static bool
ensure_memory_record(_Atomic uint32_t *record, uint32_t *link, uint64_t period)
{
	struct format_memory *m;
	uint32_t index, none = 0;

	if (atomic_load(record) != 0)
		return true;
	index = store_take(sizeof(*m));
	if (index == 0)
		return false;
	m = store_at(index);
	m->since_mono = sys_clock(CLOCK_MONOTONIC);
	m->period = period;
	if (atomic_compare_exchange_strong(record, &none, index))
		__atomic_store_n(link, index, __ATOMIC_RELEASE);
	return true;
}

static bool
ensure_process_records(void)
{
	struct format_header *h = store_raw_header();

	return ensure_memory_record(&mon->memory, &h->memory,
	    config.heap_period) && (!config.maps ||
	    ensure_memory_record(&mon->maps, &h->maps, 0));
}

bool
alloc_thread_attach(struct alloc_thread *l)
{
	const unsigned generation = atomic_load(&mon->store.generation);
	struct format_alloc_thread *record;
	uint32_t index, root;

	if (!store_create_if_due())
		return false;
	path_cache_reset(&l->path_cache);
	l->last = 0;
	l->asked = atomic_load(&mon->asked);
	l->blocks = blocks_of_generation(generation);
	if (l->blocks == NULL)
		return false;
	root = !ensure_process_records() ? 0 : cct_add_root();
	index = root == 0 ? 0 : store_take(sizeof(*record));
	if (index == 0) {
		l->homeless = generation;
		return false;
	}
	record = store_at(index);
	record->root = root;
	store_publish(&store_raw_header()->alloc_threads, index);
	l->base = mon->store.base;
	l->memory = alloc_thread_record(l, atomic_load(&mon->memory));
	l->record = index;
	l->user = (struct live_blocks_user){ index, NULL };
	l->root = root;
	l->ending = 0;
	live_bytes_reset(l->live_counter, generation);
	l->generation = generation;
	return true;
}

void
alloc_thread_sync(struct alloc_thread *l)
{
	struct live_block_table *t;

	l->asked = atomic_load(&mon->asked);
	l->forgot_by = atomic_load(&mon->forgot_by);
	t = atomic_load(&mon->blocks);
	if (live_blocks_generation(t) == l->generation && l->blocks != t) {
		l->last = 0;
		l->blocks = t;
	}
}

static void
advise_alloc_thread(struct alloc_thread *l, int advice)
{
	sys_madvise((char *)l - STACK_BYTES, alloc_thread_bytes(), advice);
}

STATE_START void
alloc_thread_fork_prepare(void)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l == NULL || l->inside == 0 || !alloc_thread_is_current(l) ||
	    atomic_load(&mon->frozen))
		return;
	l->kept = mon->store.cap;
	advise_alloc_thread(l, MADV_KEEPONFORK);
	live_blocks_fork_prepare(l->blocks);
}

STATE_START void
alloc_thread_fork_parent(void)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l == NULL || l->kept == 0)
		return;
	l->kept = 0;
	advise_alloc_thread(l, MADV_WIPEONFORK);
}

/*
 * Puts zeros in place of the file: nothing reads what the continued call writes
 * there, or to its parent's tables in the state.  All other calls get a new
 * alloc_thread.  This alloc_thread stays as it is for further children, too,
 * because the handler may fork again, and the call continues in each child.
 */
STATE_START void
alloc_thread_fork_child(void)
{
	struct alloc_thread *l = alloc_thread_self;
	size_t from;

	if (l == NULL || l->kept == 0)
		return;
	/* This process may count losses in the header of an ancestor. */
	from = ancestor_move_header(l->base) ? 0 : FORMAT_HEADER;
	sys_memory_at(l->base + from, l->kept - from);
	live_blocks_fork_child(l->blocks);
	wiped_memory_close();
	l->kept = 0;
	l->generation = ALLOC_THREAD_OF_PARENT;
	publish_alloc_thread(l, sys_gettid());
	alloc_thread_self = NULL;
}
