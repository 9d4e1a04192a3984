/* Context: S.  The peak; see peak.h. */
#include "peak.h"

#include "lock.h"

#define TRIES	4u

void
peak_left(struct lane *l)
{
	uint32_t own = l->record;

	atomic_compare_exchange_strong(&mon->peaking, &own, 0);
	atomic_fetch_add(&l->live, (int64_t)l->ending);
	l->ending = 0;
}

static int64_t
sum_once(unsigned generation, unsigned *lanes)
{
	const struct lane *l = atomic_load(&mon->lanes);
	int64_t sum = 0;

	*lanes = 0;
	for (; l != NULL; l = l->next) {
		if (l->generation != generation)
			continue;
		sum += atomic_load_explicit(&l->live, memory_order_relaxed);
		*lanes += 1;
	}
	return sum;
}

/* Twice the same: it was so at one moment, and was not put together of two. */
static int64_t
sum_lanes(unsigned generation, unsigned *lanes)
{
	int64_t sum = sum_once(generation, lanes), again;
	unsigned i;

	for (i = 0; i < TRIES; i++) {
		again = sum_once(generation, lanes);
		if (again == sum)
			break;
		sum = again;
	}
	return sum;
}

uint64_t
peak_live(unsigned generation)
{
	unsigned lanes;
	const int64_t sum = sum_lanes(generation, &lanes);

	return sum > 0 ? (uint64_t)sum : 0;
}

/* What is missing to the peak: half of it for who asks, the rest for all. */
static void
share(struct lane *own, int64_t spare, unsigned lanes)
{
	const int64_t each = lanes < 2 ? 0 : spare / 2 / (lanes - 1);
	struct lane *l = atomic_load(&mon->lanes);

	for (; l != NULL; l = l->next) {
		int64_t more = l != own ? each :
		    spare - each * (int64_t)(lanes - 1);

		if (l->generation == own->generation)
			atomic_store_explicit(&l->limit, more +
			    atomic_load_explicit(&l->live,
			    memory_order_relaxed), memory_order_relaxed);
	}
}

static bool
look(struct lane *own)
{
	struct format_memory *m = own->memory;
	const bool anew = atomic_exchange(&mon->peaks_anew, false);
	unsigned lanes;
	const int64_t sum = sum_lanes(own->generation, &lanes);
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
	share(own, (int64_t)m->peak_bytes - sum, lanes);
	return raised;
}

bool
peak_raise(struct lane *own)
{
	bool raised = false;

	/* One that never comes back is not waited for twice. */
	lock_take(&mon->peaking, own->record);
	do
		raised |= look(own);
	while (atomic_load(&mon->peaks_anew));
	lock_drop(&mon->peaking);
	return raised;
}

/* Whoever gives out a block next is past its share. */
void
peak_anew(void)
{
	struct lane *l = atomic_load(&mon->lanes);

	atomic_store(&mon->peaks_anew, true);
	for (; l != NULL; l = l->next)
		atomic_store(&l->limit, INT64_MIN);
}

static uint64_t
live_of(const struct format_heap *h)
{
	return h->node.ns - h->freed_bytes -
	    __atomic_load_n(&h->taken_bytes, __ATOMIC_RELAXED);
}

/*
 * It changes for the first time since the last peak: until now it was as it was
 * then.  Both words at once, as another thread may see the same.
 */
void
peak_note(struct format_heap *h, uint64_t era, uint64_t before)
{
	arch_swap_pair(&h->peak_bytes, __atomic_load_n(&h->peak_bytes,
	    __ATOMIC_RELAXED), before, live_of(h), era);
}
