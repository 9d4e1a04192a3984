/* Context: S.  Lanes; see lane.h. */
#include "lane.h"

#include "ancestor.h"
#include "mapcount.h"
#include "peak.h"
#include "recall.h"
#include "region.h"
#include "sample.h"
#include "store.h"
#include "str.h"
#include "tree.h"

/* A search takes 6 KiB, and the kernel's frame of a fault up to 12 KiB. */
#define STACK_BYTES	(24u << 10)

/* What core/arch/CPU/heap.S knows. */
_Static_assert(offsetof(struct lane, until) == 8, "for stubs");
_Static_assert(offsetof(struct lane, last) == 16, "for stubs");
_Static_assert(offsetof(struct lane, blocks) == 24, "for stubs");

__thread struct lane *thread_lane;

void *
lane_stack(struct lane *l)
{
	return l;
}

bool
lane_is_on_stack(const struct lane *l, uintptr_t sp)
{
	return (uintptr_t)l - sp <= STACK_BYTES;
}

static size_t
lane_bytes(void)
{
	return (STACK_BYTES + sizeof(struct lane) + recall_bytes() +
	    config.page - 1) & ~(config.page - 1);
}

/*
 * Its stack lies below it, what it recalls above.  Not in a fork child: there
 * thread_lane is of the parent's, and is not looked at before it is set anew.
 */
static struct lane *
make(void)
{
	const size_t bytes = lane_bytes();
	char *p = region_memory(bytes);
	struct lane *l;

	if (p == NULL)
		return NULL;
	if (sys_madvise(p, bytes, MADV_WIPEONFORK) != 0) {
		region_unmap(p, bytes);	/* a child would count in our file */
		return NULL;
	}
	l = (struct lane *)(p + STACK_BYTES);
	return l;
}

/* Wiped ones of a fork child's parent find their parts again. */
static void
lay_out(struct lane *l)
{
	l->quiet = l->quiet_for = 1;
	l->random = (uint64_t)sys_clock(CLOCK_MONOTONIC) << 24 ^
	    (uint64_t)sys_gettid();
	recall_lay_out(&l->recall, l + 1, l->random);
	l->until = config.heap_period == 0 ? 0 :
	    sample_wait(&l->random, config.heap_period);
}

static bool
publish(struct lane *l)
{
	struct lane *head = atomic_load(&mon->lanes);
	struct stake *s = stake_take();

	if (s == NULL)
		return false;
	l->stake = s;
	l->tid = sys_gettid();
	atomic_store(&l->state, LANE_USED);
	do
		l->next = head;
	while (!atomic_compare_exchange_weak(&mon->lanes, &head, l));
	return true;
}

void
lane_give_up(struct lane *l)
{
	struct block b;

	if (l->blocks != NULL)
		blocks_left(l->blocks, &l->user);
	/* Nor will anybody free it. */
	if ((l->last & LANE_NOT_COUNTED) != 0)
		blocks_take(l->blocks, &l->user, l->last & ~LANE_NOT_COUNTED,
		    &b);
	l->last = 0;
	recall_empty(&l->recall);
	peak_left(l);
	mapcount_left(l);
	l->mapping = 0;
	l->quiet = 1;		/* it may have been about to look */
	loss_count(LOSS_HEAP_LEFT, 1);
	l->inside = 0;		/* not before: this may be left, too */
}

/* Of a thread that said it would end, and is gone. */
static struct lane *
inherit(void)
{
	struct lane *l = atomic_load(&mon->lanes);
	unsigned left;
	int tid;

	for (; l != NULL; l = l->next) {
		left = LANE_LEFT;
		tid = l->tid;
		if (atomic_load(&l->state) != LANE_LEFT ||
		    sys_tgkill(mon->pid, tid, 0) != -ESRCH ||
		    !atomic_compare_exchange_strong(&l->state, &left,
		    LANE_USED))
			continue;
		/* Another may have taken it, and left it, in between. */
		if (l->tid != tid) {
			atomic_store(&l->state, LANE_LEFT);
			continue;
		}
		l->tid = sys_gettid();
		if (l->inside != 0)
			lane_give_up(l);
		l->last = 0;
		recall_empty(&l->recall);
		return l;
	}
	return NULL;
}

static struct lane *
make_another(void)
{
	struct lane *l = make();

	if (l == NULL)
		return NULL;
	lay_out(l);
	if (publish(l))
		return l;
	region_unmap((char *)l - STACK_BYTES, lane_bytes());
	return NULL;
}

struct lane *
lane_take(void)
{
	struct lane *l = thread_lane;

	if (l == NULL)
		l = inherit();
	if (l == NULL)
		l = make_another();
	/* Wiped: a fork child's. */
	if (l != NULL && atomic_load(&l->state) == 0) {
		lay_out(l);
		if (!publish(l))
			return NULL;
	}
	if (slot_self != NULL)
		slot_self->lane = l;
	thread_lane = l;
	return l;
}

void
lane_leave(void)
{
	struct lane *l = thread_lane;

	if (l != NULL && atomic_load(&l->state) == LANE_USED)
		atomic_store(&l->state, LANE_LEFT);
}

void
lane_left(struct lane *l, int tid)
{
	unsigned used = LANE_USED;

	if (l != NULL && l->tid == tid)
		atomic_compare_exchange_strong(&l->state, &used, LANE_LEFT);
}

static struct blocks *
blocks_of(unsigned generation)
{
	struct blocks *t = atomic_load(&mon->blocks), *fresh;

	if (t != NULL && blocks_generation(t) == generation)
		return t;
	fresh = blocks_make(config.heap_size, generation);
	if (fresh == NULL)
		return NULL;
	/*
	 * Neither the one before, which another thread may be at, nor one that
	 * came too late is unmapped: once a lost file, and a race.
	 */
	return atomic_compare_exchange_strong(&mon->blocks, &t, fresh) ?
	    fresh : t;
}

/* A record of the process's own, once a file; link: where the header has it. */
static bool
has_memory(_Atomic uint32_t *record, uint32_t *link, uint64_t period)
{
	struct format_memory *m;
	uint32_t index, none = 0;

	if (atomic_load(record) != 0)
		return true;
	index = store_take(sizeof *m);
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
has_memories(void)
{
	struct format_header *h = store_head();

	return has_memory(&mon->memory, &h->memory, config.heap_period) &&
	    (!config.maps || has_memory(&mon->maps, &h->maps, 0));
}

bool
lane_follow(struct lane *l)
{
	const unsigned generation = atomic_load(&mon->store.generation);
	struct format_lane *record;
	uint32_t index, root;

	if (!store_ready())
		return false;
	recall_forget(&l->recall);
	l->last = 0;
	l->asked = atomic_load(&mon->asked);
	l->blocks = blocks_of(generation);
	if (l->blocks == NULL)
		return false;
	root = !has_memories() ? 0 : tree_root();
	index = root == 0 ? 0 : store_take(sizeof *record);
	if (index == 0) {
		l->homeless = generation;
		return false;
	}
	record = store_at(index);
	record->root = root;
	store_publish(&store_head()->lanes, index);
	l->base = mon->store.base;
	l->memory = lane_at(l, atomic_load(&mon->memory));
	l->record = index;
	l->user = (struct blocks_user){ index, NULL };
	l->root = root;
	l->ending = 0;
	stake_begin(l->stake, generation);
	l->generation = generation;
	return true;
}

void
lane_heed(struct lane *l)
{
	struct blocks *t;

	l->asked = atomic_load(&mon->asked);
	l->forgot_by = atomic_load(&mon->forgot_by);
	t = atomic_load(&mon->blocks);
	if (blocks_generation(t) == l->generation && l->blocks != t) {
		l->last = 0;
		l->blocks = t;
	}
}

void
lane_lead(struct blocks *from, struct blocks *to)
{
	struct lane *l = atomic_load(&mon->lanes);

	for (; l != NULL; l = l->next)
		if (__atomic_load_n(&l->blocks, __ATOMIC_RELAXED) == from &&
		    __atomic_load_n(&l->inside, __ATOMIC_RELAXED) == 0)
			__atomic_store_n(&l->blocks, to, __ATOMIC_RELEASE);
}

bool
lane_is_behind(uint32_t forgot_by)
{
	const struct lane *l = atomic_load(&mon->lanes);

	for (; l != NULL; l = l->next)
		if (__atomic_load_n(&l->inside, __ATOMIC_RELAXED) != 0 &&
		    __atomic_load_n(&l->forgot_by, __ATOMIC_RELAXED) !=
		    forgot_by && lane_is_current(l))
			return true;
	return false;
}

static void
advise(struct lane *l, int advice)
{
	sys_madvise((char *)l - STACK_BYTES, lane_bytes(), advice);
}

STATE_START void
lane_fork_begins(void)
{
	struct lane *l = thread_lane;

	if (l == NULL || l->inside == 0 || !lane_is_current(l) ||
	    atomic_load(&mon->frozen))
		return;
	l->kept = mon->store.cap;
	advise(l, MADV_KEEPONFORK);
	blocks_keep(l->blocks);
}

STATE_START void
lane_fork_ends(void)
{
	struct lane *l = thread_lane;

	if (l == NULL || l->kept == 0)
		return;
	l->kept = 0;
	advise(l, MADV_WIPEONFORK);
}

/*
 * Zeros in the file's place: what the call writes there is for nobody.  All
 * others have a new lane.  This one stays as it is for children, too: the
 * handler may fork again, and the call goes on in each.
 */
STATE_START void
lane_fork_child(void)
{
	struct lane *l = thread_lane;
	size_t from;

	if (l == NULL || l->kept == 0)
		return;
	/* This process may count losses in the header of an ancestor. */
	from = ancestor_give_way(l->base) ? 0 : FORMAT_HEADER;
	sys_memory_at(l->base + from, l->kept - from);
	blocks_empty(l->blocks);
	l->kept = 0;
	l->generation = LANE_OF_PARENT;
	publish(l);
	thread_lane = NULL;
}
