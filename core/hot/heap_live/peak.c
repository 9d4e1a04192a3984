/*
 * Context: S.  Finds peaks, and keeps the notes of paths, for alloc_count.c,
 * live_control.c and heap_timeline.c; see peak.h.  The robust lock mon->peaking
 * lets one thread at a time look for a peak.
 */
#include "heap_live/peak.h"

#include "base/robust_lock.h"

#define TRIES	4u

void
peak_recover(struct alloc_thread *l)
{
	uint32_t own = l->record;

	atomic_compare_exchange_strong(&mon->peaking, &own, 0);
	atomic_fetch_add(&l->live_counter->live, (int64_t)l->ending);
	l->ending = 0;
}

/*
 * Takes snapshots until two in a row have the same sum, or TRIES times: two
 * equal sums were right at one moment, and are not put together from two.
 */
static int64_t
read_stable_sum(unsigned generation, unsigned *count)
{
	int64_t sum = live_bytes_snapshot(generation, count), again;

	/* A single counter is the calling thread's own, and does not change. */
	for (unsigned i = 0; *count > 1 && i < TRIES; i++) {
		again = live_bytes_snapshot(generation, count);
		if (again == sum)
			break;
		sum = again;
	}
	return sum;
}

uint64_t
peak_live_sum(unsigned generation)
{
	int64_t sum = live_bytes_sum(generation), again;

	for (unsigned i = 0;
	    i < TRIES && (again = live_bytes_sum(generation)) != sum;
	    i++)
		sum = again;
	return sum > 0 ? (uint64_t)sum : 0;
}

/*
 * Returns whether what is live is a new peak, and sets new limits.  *count:
 * number of counters in the sum.  mon->peaking is held.
 */
static bool
check_new_peak(struct alloc_thread *own, unsigned *count)
{
	struct format_memory *m = own->memory;
	const bool anew = atomic_load(&mon->peaks_anew) &&
	    atomic_exchange(&mon->peaks_anew, false);
	const int64_t sum = read_stable_sum(own->generation, count);
	const bool raised = anew || sum > (int64_t)m->peak_bytes;

	if (anew)
		atomic_store(&mon->growing.high, 0);
	if (raised && sum > 0 && (uint64_t)sum > atomic_load_explicit(
	    &mon->growing.high, memory_order_relaxed))
		own->quiet = 1;
	if (raised) {
		m->peak_bytes = sum > 0 ? (uint64_t)sum : 0;
		__atomic_store_n(&m->era, m->era + 1, __ATOMIC_RELEASE);
	}
	live_bytes_set_limits(own->live_counter, (int64_t)m->peak_bytes - sum,
	    *count);
	return raised;
}

bool
peak_update(struct alloc_thread *own)
{
	bool raised = false;
	unsigned i = 0, count;

	/*
	 * After a timeout the thread goes on all the same, and releases the
	 * lock at the end.  So no thread waits twice for a holder that never
	 * comes back.
	 */
	robust_lock_take(&mon->peaking, own->record);
	do
		raised |= check_new_peak(own, &count);
	while (atomic_load(&mon->peaks_anew) || (count > 1 && ++i < TRIES &&
	    live_bytes_exceeds_limit(own->generation)));
	robust_lock_drop(&mon->peaking);
	return raised;
}

void
peak_restart(void)
{
	atomic_store(&mon->peaks_anew, true);
	live_bytes_expire_limits();
}

static uint64_t
live_bytes_of_path(const struct format_heap *h)
{
	return h->node.ns - h->freed_bytes -
	    __atomic_load_n(&h->taken_bytes, __ATOMIC_RELAXED);
}

void
peak_reset_high(struct format_heap *h, uint64_t before)
{
	if (before < atomic_load_explicit(&mon->forgot_era,
	    memory_order_relaxed))
		h->high_bytes = live_bytes_of_path(h);
}

/*
 * The path changes for the first time since the last peak: until now it was as
 * it was then.  Both words are changed at once, because another thread may find
 * the same.
 */
void
peak_note_era(struct format_heap *h, uint64_t era, uint64_t before)
{
	peak_reset_high(h, before);
	arch_cmpxchg_pair(&h->peak_bytes, __atomic_load_n(&h->peak_bytes,
	    __ATOMIC_RELAXED), before, live_bytes_of_path(h), era);
}
