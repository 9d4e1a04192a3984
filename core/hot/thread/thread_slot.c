/*
 * Context: S.  Takes, frees, locks and reclaims slots, for makers of threads,
 * scans, seals and freezes; the tick's handler asks for its stack; see
 * thread_slot.h.  No lock guards the slots, because a tick can interrupt a
 * thread at any of these steps.
 */
#include "thread/thread_slot.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/str.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "count/record.h"
#include "heap/alloc_thread.h"
#include "thread/thread_life.h"
#include "thread/thread_slot_each.h"
#include "thread/thread_slot_index.h"

/* One wait of thread_slot_lock(), and the number of waits. */
#define HOLD_NS		100000u
#define HOLD_TRIES	100
/* part of the slots in use: after as many new ones, slots are reclaimed */
#define RECLAIM_PART	2

#ifndef THREAD_SLOT_STEP
#define THREAD_SLOT_STEP	((void)0)	/* a test counts steps */
#endif

STATE_START static struct thread_slot *
slot_by_number(unsigned number)
{
	return &thread_slot_chunk(number / THREAD_SLOT_CHUNK)[number %
	    THREAD_SLOT_CHUNK];
}

/*
 * Takes a slot from the stack of free slots, or returns NULL.  The stack's head
 * holds the number + 1 of the first slot, below a count of changes.  A thread
 * that was interrupted between its look at a slot and its exchange does not
 * mistake a changed head for the old one, because the count differs.
 */
STATE_START static struct thread_slot *
pop_free_slot(void)
{
	uint64_t head = atomic_load(&mon->free), next;
	struct thread_slot *s;

	while ((uint32_t)head != 0) {
		THREAD_SLOT_STEP;
		s = slot_by_number((uint32_t)head - 1);
		next = ((head >> 32) + 1) << 32 | atomic_load(&s->next_free);
		if (!atomic_compare_exchange_strong(&mon->free, &head, next))
			continue;
		atomic_store(&s->state, THREAD_SLOT_TAKEN);
		return s;
	}
	return NULL;
}

static void
push_free_slot(struct thread_slot *s)
{
	const unsigned number = thread_slot_number(s);
	uint64_t head = atomic_load(&mon->free);

	do {
		THREAD_SLOT_STEP;
		atomic_store(&s->next_free, (uint32_t)head);
	} while (!atomic_compare_exchange_strong(&mon->free, &head,
	    ((head >> 32) + 1) << 32 | (number + 1)));
}

void
thread_slot_free(struct thread_slot *s)
{
	atomic_store(&s->state, THREAD_SLOT_FREE);
	atomic_fetch_sub(&mon->in_use, 1);
	push_free_slot(s);
}

/* Returns a slot that was never taken, if the chunks that exist have one. */
STATE_START static struct thread_slot *
take_fresh_slot(void)
{
	unsigned n = atomic_load(&mon->fresh);
	struct thread_slot *s;

	while (n < atomic_load(&mon->chunks) * THREAD_SLOT_CHUNK) {
		THREAD_SLOT_STEP;
		if (!atomic_compare_exchange_strong(&mon->fresh, &n, n + 1))
			continue;
		s = slot_by_number(n);
		atomic_store(&s->state, THREAD_SLOT_TAKEN);
		return s;
	}
	return NULL;
}

/*
 * Brings mon->chunks up to date.  Chunks are added in order, so a count
 * suffices.  Any thread that comes by advances it: a tick may have interrupted
 * the thread that added the chunk.
 */
static void
count_slot_chunks(void)
{
	unsigned n = atomic_load(&mon->chunks);

	while (n < THREAD_SLOT_CHUNKS &&
	    atomic_load(&mon->more_chunks[n - 1]) != NULL) {
		thread_slot_index_chunk(n);
		if (atomic_compare_exchange_strong(&mon->chunks, &n, n + 1))
			n++;
	}
}

/*
 * Adds a chunk of slots.  Two threads may add one each at once; the second
 * chunk serves later threads.
 */
static bool
add_slot_chunk(void)
{
	struct thread_slot *c;
	unsigned n;

	if (atomic_load(&mon->frozen) || !thread_slot_index_make())
		return false;
	n = atomic_load(&mon->chunks);
	if (n >= THREAD_SLOT_CHUNKS)
		return false;
	c = mmap_area_alloc(THREAD_SLOT_CHUNK_BYTES);
	if (c == NULL)
		return false;
	for (; n < THREAD_SLOT_CHUNKS; n++) {
		struct thread_slot *none = NULL;

		if (atomic_compare_exchange_strong(&mon->more_chunks[n - 1],
		    &none, c)) {
			count_slot_chunks();
			return true;
		}
	}
	mmap_area_unmap(c, THREAD_SLOT_CHUNK_BYTES);
	return false;
}

/* Takes a slot, or returns NULL.  more: a chunk may be added. */
STATE_START static struct thread_slot *
take_or_add_slot(bool more)
{
	struct thread_slot *s;

	do
		s = pop_free_slot();
	while (s == NULL && (s = take_fresh_slot()) == NULL && more &&
	    add_slot_chunk());
	if (s != NULL)
		atomic_fetch_add(&mon->in_use, 1);
	return s;
}

/* A tick takes microseconds, but may lose the processor. */
bool
thread_slot_lock(struct thread_slot *s)
{
	const struct timespec a_while = {0, HOLD_NS};

	for (unsigned i = 0; i < HOLD_TRIES; i++) {
		if (atomic_exchange(&s->busy, 1) == 0)
			return true;
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
	}
	return false;
}

/*
 * Clears a slot and frees it.  The caller has changed its state from `state` to
 * THREAD_SLOT_TAKEN and holds it busy.
 */
static void
clear_slot(struct thread_slot *s, unsigned state)
{
	void *altstack = s->stack.alt;
	struct tick_path *path = s->tick_path;

	cpu_timer_stop(s);
	perf_clock_discard(s);
	thread_life_drop(s);
	if (s->stack.small)
		atomic_fetch_sub(&mon->small_stacks, 1);
	if (state == THREAD_SLOT_LIVE)
		atomic_fetch_sub(&mon->live, 1);
	/*
	 * The state is not cleared with the rest, because it keeps other
	 * threads away until the rest is done.
	 */
	mem_zero((char *)s + sizeof(s->state), sizeof(*s) - sizeof(s->state));
	s->stack.alt = altstack;
	s->tick_path = path;
	thread_slot_free(s);
}

/*
 * Stops the clocks of a slot, counts what waits in it, and frees it.  state:
 * the state in which the caller has seen it.  If several threads try, the first
 * one does it.  Waits until no thread holds the slot busy.
 */
static void
retire_slot(struct thread_slot *s, unsigned state)
{
	unsigned before = state;

	if (!atomic_compare_exchange_strong(&s->state, &before,
	    THREAD_SLOT_TAKEN))
		return;
	/*
	 * A scan may be giving it its clock, or the helper of clock=wall may be
	 * counting a last sample.
	 */
	while (atomic_exchange(&s->busy, 1) != 0)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	record_flush_pending(s);
	clear_slot(s, state);
}

void
thread_slot_abandon(struct thread_slot *s)
{
	unsigned live = THREAD_SLOT_LIVE;

	if (atomic_compare_exchange_strong(&s->state, &live, THREAD_SLOT_TAKEN))
		clear_slot(s, THREAD_SLOT_LIVE);
	else
		atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Frees a slot whose thread is gone, unless a thread holds it busy or samples
 * in it wait for the file.
 */
static void
reclaim_slot(struct thread_slot *s, void *arg)
{
	unsigned state = atomic_load(&s->state);

	(void)arg;
	if ((state != THREAD_SLOT_ENDED && state != THREAD_SLOT_LIVE) ||
	    atomic_load(&s->busy) != 0 || record_has_pending(s) ||
	    sys_tgkill(mon->pid, s->tid, 0) != -ESRCH)
		return;
	if (state == THREAD_SLOT_LIVE && s->records.thread != 0)
		loss_count(LOSS_TAIL, 1);
	if (state == THREAD_SLOT_LIVE) {
		thread_life_lost(s);
		alloc_thread_died(s->alloc, s->tid);
	}
	retire_slot(s, state);
}

STATE_START void
thread_slot_drop_duplicate(struct thread_slot *s)
{
	struct thread_slot *twin;

	while (atomic_load(&mon->live) > 1 && (twin =
	    thread_slot_duplicate(s)) != NULL)
		retire_slot(twin, THREAD_SLOT_LIVE);
}

/*
 * Asking the kernel about every slot is expensive, so the slots are looked
 * through only once for a number of new ones that makes it cheap: for 10,000
 * threads, looking each time took 0.3 s.
 */
void
thread_slot_reclaim(void)
{
	unsigned n;

	/*
	 * One thread at a time: a slot could live again between look and end.
	 */
	if (atomic_load(&mon->frozen) ||
	    atomic_exchange(&mon->reclaiming, true))
		return;
	thread_slot_for_each(reclaim_slot, NULL);
	n = atomic_load(&mon->in_use);
	atomic_store(&mon->reclaim_at, n + n / RECLAIM_PART);
	atomic_store(&mon->reclaiming, false);
}

struct thread_slot *
thread_slot_take_or_add(void)
{
	struct thread_slot *s = take_or_add_slot(true);

	if (s == NULL)
		loss_count(LOSS_THREAD_SLOT, 1);
	return s;
}

STATE_START struct thread_slot *
thread_slot_take(void)
{
	struct thread_slot *s = take_or_add_slot(false);

	if (s != NULL)
		return s;
	if (atomic_load(&mon->in_use) >= atomic_load(&mon->reclaim_at))
		thread_slot_reclaim();
	return thread_slot_take_or_add();
}

/*
 * A signal frame grows when the program asks for AMX, long after its stacks
 * were judged.  The slack is the handler's own use, and the bytes that the
 * kernel aligned away.
 */
bool
thread_slot_stack_fits(struct thread_slot *s, const ucontext_t *uc)
{
	const uintptr_t slack = 512;
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) -
	    (uintptr_t)uc->uc_stack.ss_sp;

	if (left >= uc->uc_stack.ss_size || left >= CONFIG_STACK - slack)
		return true;
	if (!s->stack.tight)
		loss_count(LOSS_ALTSTACK, 1);
	s->stack.tight = true;
	return false;
}
