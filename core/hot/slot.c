/* Context: S.  Slots: what we know of each thread that we clock. */
#include "slot.h"

#include "coarse.h"
#include "fine.h"
#include "lane.h"
#include "record.h"
#include "region.h"
#include "slotindex.h"
#include "str.h"

#define HOLD_NS		100000u
#define HOLD_TRIES	100
#define RECLAIM_PART	2	/* of the slots in use: as many new ones */

#ifndef SLOT_STEP
#define SLOT_STEP	((void)0)	/* a test counts them */
#endif

void
slot_each(slot_visit *visit, void *arg)
{
	unsigned i, j, n = atomic_load_explicit(&mon->chunks,
	    memory_order_acquire);

	for (i = 0; i < n; i++) {
		struct slot *c = slot_chunk(i);

		for (j = 0; j < SLOT_CHUNK; j++) {
			SLOT_STEP;
			if (atomic_load_explicit(&c[j].state,
			    memory_order_acquire) != SLOT_FREE)
				visit(&c[j], arg);
		}
	}
}

STATE_START static struct slot *
numbered(unsigned number)
{
	return &slot_chunk(number / SLOT_CHUNK)[number % SLOT_CHUNK];
}

/*
 * The stack of free slots.  Its head is the number + 1 of the first one, below
 * a count of changes: who was interrupted between its look at a slot and its
 * exchange does not take a head for the same one that has become another.
 */
STATE_START static struct slot *
pop_free(void)
{
	uint64_t head = atomic_load(&mon->free), next;
	struct slot *s;

	while ((uint32_t)head != 0) {
		SLOT_STEP;
		s = numbered((uint32_t)head - 1);
		next = ((head >> 32) + 1) << 32 | atomic_load(&s->next_free);
		if (!atomic_compare_exchange_strong(&mon->free, &head, next))
			continue;
		atomic_store(&s->state, SLOT_TAKEN);
		return s;
	}
	return NULL;
}

static void
push_free(struct slot *s)
{
	const unsigned number = slot_number(s);
	uint64_t head = atomic_load(&mon->free);

	do {
		SLOT_STEP;
		atomic_store(&s->next_free, (uint32_t)head);
	} while (!atomic_compare_exchange_strong(&mon->free, &head,
	    ((head >> 32) + 1) << 32 | (number + 1)));
}

void
slot_free(struct slot *s)
{
	atomic_store(&s->state, SLOT_FREE);
	atomic_fetch_sub(&mon->in_use, 1);
	push_free(s);
}

/* Returns a slot that was never taken, if the chunks that exist have one. */
STATE_START static struct slot *
take_fresh(void)
{
	unsigned n = atomic_load(&mon->fresh);
	struct slot *s;

	while (n < atomic_load(&mon->chunks) * SLOT_CHUNK) {
		SLOT_STEP;
		if (!atomic_compare_exchange_strong(&mon->fresh, &n, n + 1))
			continue;
		s = numbered(n);
		atomic_store(&s->state, SLOT_TAKEN);
		return s;
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

	while (n < SLOT_CHUNKS &&
	    atomic_load(&mon->more_chunks[n - 1]) != NULL) {
		slot_index_chunk(n);
		if (atomic_compare_exchange_strong(&mon->chunks, &n, n + 1))
			n++;
	}
}

/* Two threads may each add a chunk; the second chunk serves later threads. */
static bool
add_chunk(void)
{
	struct slot *c;
	unsigned n;

	if (atomic_load(&mon->frozen) || !slot_index_begin())
		return false;
	n = atomic_load(&mon->chunks);
	if (n >= SLOT_CHUNKS)
		return false;
	c = region_memory(SLOT_CHUNK_BYTES);
	if (c == NULL)
		return false;
	for (; n < SLOT_CHUNKS; n++) {
		struct slot *none = NULL;

		if (atomic_compare_exchange_strong(&mon->more_chunks[n - 1],
		    &none, c)) {
			count_chunks();
			return true;
		}
	}
	region_unmap(c, SLOT_CHUNK_BYTES);
	return false;
}

STATE_START static struct slot *
take(bool more)
{
	struct slot *s;

	do
		s = pop_free();
	while (s == NULL && (s = take_fresh()) == NULL && more && add_chunk());
	if (s != NULL)
		atomic_fetch_add(&mon->in_use, 1);
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
	slot_free(s);
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

STATE_START void
slot_retire_twin(struct slot *s)
{
	struct slot *twin;

	while (atomic_load(&mon->live) > 1 && (twin = slot_twin(s)) != NULL)
		retire(twin, SLOT_LIVE);
}

/*
 * Each look asks the kernel about every slot, so the slots are looked through
 * once for as many new ones as make that cheap: for 10,000 threads, looking
 * each time took 0.3 s.
 */
void
slot_reclaim(void)
{
	unsigned n;

	/* One at a time: a slot could live again between look and end. */
	if (atomic_load(&mon->frozen) ||
	    atomic_exchange(&mon->reclaiming, true))
		return;
	slot_each(reclaim, NULL);
	n = atomic_load(&mon->in_use);
	atomic_store(&mon->reclaim_at, n + n / RECLAIM_PART);
	atomic_store(&mon->reclaiming, false);
}

struct slot *
slot_take_reclaimed(void)
{
	struct slot *s = take(true);

	if (s == NULL)
		loss_count(LOSS_THREAD_SLOT, 1);
	return s;
}

STATE_START struct slot *
slot_take(void)
{
	struct slot *s = take(false);

	if (s != NULL)
		return s;
	if (atomic_load(&mon->in_use) >= atomic_load(&mon->reclaim_at))
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
