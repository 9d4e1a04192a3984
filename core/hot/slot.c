/* Context: S.  Slots: what we know of each thread that we clock. */
#include "slot.h"

#include "coarse.h"
#include "fine.h"
#include "lane.h"
#include "record.h"
#include "str.h"

#define HOLD_NS		100000u
#define HOLD_TRIES	100
#define CHUNK_BYTES	(SLOT_CHUNK * sizeof(struct slot))

bool
slot_valid(const void *p)
{
	unsigned i, n = atomic_load_explicit(&mon->chunks,
	    memory_order_acquire);
	uintptr_t a = (uintptr_t)p;

	for (i = 0; i < n; i++) {
		uintptr_t c = (uintptr_t)slot_chunk(i);

		if (a >= c && a < c + CHUNK_BYTES)
			return (a - c) % sizeof(struct slot) == 0;
	}
	return false;
}

void
slot_each(slot_visit *visit, void *arg)
{
	unsigned i, j, n = atomic_load_explicit(&mon->chunks,
	    memory_order_acquire);

	for (i = 0; i < n; i++) {
		struct slot *c = slot_chunk(i);

		for (j = 0; j < SLOT_CHUNK; j++)
			if (atomic_load_explicit(&c[j].state,
			    memory_order_acquire) != SLOT_FREE)
				visit(&c[j], arg);
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

struct slot *
slot_of(int tid)
{
	struct search q = {tid, 0, NULL};

	slot_each(compare_tid, &q);
	return q.found;
}

unsigned
slot_count(int tid)
{
	struct search q = {tid, 0, NULL};

	slot_each(compare_tid, &q);
	return q.count;
}

static struct slot *
take_in(struct slot *chunk)
{
	unsigned j, expected;

	for (j = 0; j < SLOT_CHUNK; j++) {
		expected = SLOT_FREE;
		if (atomic_compare_exchange_strong(&chunk[j].state, &expected,
		    SLOT_TAKEN))
			return &chunk[j];
	}
	return NULL;
}

/*
 * Chunks are filled in order, so a count suffices.  Whoever comes by advances
 * it: a tick may have interrupted the one who filled the place before.
 */
static void
count_chunks(void)
{
	unsigned n = atomic_load(&mon->chunks);

	while (n < SLOT_CHUNKS && atomic_load(&mon->more_chunks[n - 1]) != NULL)
		if (atomic_compare_exchange_weak(&mon->chunks, &n, n + 1))
			n++;
}

/* Two threads may both add one; the loser's serves the next who looks. */
static struct slot *
add_chunk(void)
{
	struct slot *c;
	unsigned n;

	if (atomic_load(&mon->frozen))
		return NULL;
	n = atomic_load(&mon->chunks);
	if (n >= SLOT_CHUNKS)
		return NULL;
	c = sys_memory(CHUNK_BYTES);
	if (c == NULL)
		return NULL;
	atomic_store(&c[0].state, SLOT_TAKEN);
	for (; n < SLOT_CHUNKS; n++) {
		struct slot *none = NULL;

		if (atomic_compare_exchange_strong(&mon->more_chunks[n - 1],
		    &none, c)) {
			count_chunks();
			return &c[0];
		}
	}
	sys_munmap(c, CHUNK_BYTES);
	return NULL;
}

static struct slot *
take_free(void)
{
	unsigned i, n = atomic_load(&mon->chunks);
	struct slot *s = NULL;

	for (i = 0; i < n && s == NULL; i++)
		s = take_in(slot_chunk(i));
	return s;
}

/* A tick of its thread takes microseconds, but may lose the processor. */
bool
slot_hold(struct slot *s)
{
	const struct timespec a_while = {0, HOLD_NS};
	unsigned i;

	for (i = 0; i < HOLD_TRIES; i++) {
		if (atomic_exchange(&s->busy, 1) == 0)
			return true;
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
	}
	return false;
}

/* By whoever made it SLOT_TAKEN, from `state`, and holds it busy. */
static void
clear(struct slot *s, unsigned state)
{
	void *altstack = s->altstack;
	struct path *path = s->path;

	coarse_stop(s);
	fine_bury(s);
	if (s->stack_small)
		atomic_fetch_sub(&mon->small_stacks, 1);
	if (state == SLOT_LIVE)
		atomic_fetch_sub(&mon->live, 1);
	/* All but the state, which keeps others away until the rest is done. */
	mem_zero((char *)s + sizeof s->state, sizeof *s - sizeof s->state);
	s->altstack = altstack;
	s->path = path;
	atomic_store(&s->state, SLOT_FREE);
}

/* Stop its clocks and make it free, whoever is first to. */
static void
retire(struct slot *s, unsigned state)
{
	unsigned before = state;

	if (!atomic_compare_exchange_strong(&s->state, &before, SLOT_TAKEN))
		return;
	/* A sweep may be giving it its clock, or clock=wall a last record. */
	while (atomic_exchange(&s->busy, 1) != 0)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	record_last(s);
	clear(s, state);
}

void
slot_drop(struct slot *s)
{
	unsigned live = SLOT_LIVE;

	if (atomic_compare_exchange_strong(&s->state, &live, SLOT_TAKEN))
		clear(s, SLOT_LIVE);
	else
		atomic_store_explicit(&s->busy, 0, memory_order_release);
}

static void
reclaim(struct slot *s, void *arg)
{
	unsigned state = atomic_load(&s->state);

	(void)arg;
	if ((state != SLOT_ENDED && state != SLOT_LIVE) ||
	    atomic_load(&s->busy) != 0 || record_waits(s) ||
	    sys_tgkill(mon->pid, s->tid, 0) != -ESRCH)
		return;
	if (state == SLOT_LIVE && s->thread != 0)
		loss_count(LOSS_TAIL, 1);
	if (state == SLOT_LIVE)
		lane_left(s->lane, s->tid);
	retire(s, state);
}

static void
retire_twin(struct slot *s, void *arg)
{
	const struct slot *self = arg;

	if (s != self && !s->native && s->tid == self->tid)
		retire(s, SLOT_LIVE);
}

void
slot_retire_twin(struct slot *s)
{
	if (atomic_load(&mon->live) > 1)
		slot_each(retire_twin, s);
}

void
slot_reclaim(void)
{
	/* One at a time: a slot could live again between look and end. */
	if (atomic_load(&mon->frozen) ||
	    atomic_exchange(&mon->reclaiming, true))
		return;
	slot_each(reclaim, NULL);
	atomic_store(&mon->reclaiming, false);
}

struct slot *
slot_take_reclaimed(void)
{
	struct slot *s = take_free();

	if (s == NULL)
		s = add_chunk();
	if (s == NULL)
		loss_count(LOSS_THREAD_SLOT, 1);
	return s;
}

struct slot *
slot_take(void)
{
	struct slot *s = take_free();

	if (s != NULL)
		return s;
	slot_reclaim();
	return slot_take_reclaimed();
}

/*
 * A frame grows when the program asks for AMX, long after its stacks were
 * judged.  The slack is the handler's own share, and what the kernel aligned.
 */
bool
slot_has_room(struct slot *s, const ucontext_t *uc)
{
	const uintptr_t slack = 512;
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) -
	    (uintptr_t)uc->uc_stack.ss_sp;

	if (left >= uc->uc_stack.ss_size || left >= CONFIG_STACK - slack)
		return true;
	if (!s->stack_tight)
		loss_count(LOSS_ALTSTACK, 1);
	s->stack_tight = true;
	return false;
}
