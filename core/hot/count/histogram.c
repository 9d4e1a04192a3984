/*
 * Context: S.  Counts CPU time in the histograms that a program has handed to
 * profil(2) and sprofil(3), for record.c; profil.c (core/runtime/classic)
 * installs them; see histogram.h.  The counters are the program's memory, which
 * it may have unmapped.
 */
#include "count/histogram.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"

#include <linux/futex.h>

#define WAIT_NS		100000u
#define WAIT_TURNS	10000u	/* a second */

static _Atomic(struct histogram_set *) installed_sets[HISTOGRAM_OWNERS]
    STATE_SECTION("2.cold");

/*
 * CPU time, ns, that the sets of each owner have seen.  It goes on from one set
 * to the next: otherwise a program that switches its histogram on only for
 * parts of a period would never get a count.
 */
static _Atomic uint64_t cpu_seen[HISTOGRAM_OWNERS] STATE_SECTION("2.cold");

struct histogram_set *
histogram_make(unsigned n)
{
	size_t bytes = sizeof(struct histogram_set) +
	    n * sizeof(struct histogram);
	struct histogram_set *set = mmap_area_alloc(bytes);

	if (set == NULL)
		return NULL;
	set->bytes = bytes;
	set->count = n;
	return set;
}

/*
 * Waits until no tick is counting in a histogram, a second at most.  Returns
 * whether that is so.  A tick takes a microsecond or two there, but may lose
 * the processor.  Does not wait in a frozen process.
 */
static bool
wait_for_histogram_ticks(void)
{
	const struct timespec a_while = {0, WAIT_NS};

	for (unsigned i = 0; i < WAIT_TURNS; i++) {
		if (atomic_load(&mon->in_histograms) == 0)
			return true;
		if (atomic_load(&mon->frozen))
			return false;
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
	}
	return false;
}

void
histogram_install(enum histogram_owner owner, struct histogram_set *set)
{
	struct histogram_set *before = atomic_exchange(&installed_sets[owner],
	    set);
	/*
	 * This also waits for ticks in a set that another thread is removing at
	 * the same time.
	 */
	bool left = wait_for_histogram_ticks();

	/*
	 * If a tick never ends, the set's memory is not freed, so the tick
	 * cannot fault.
	 */
	if (before != NULL && left && !atomic_load(&mon->frozen))
		mmap_area_unmap(before, before->bytes);
}

/*
 * Returns 32 bits that look random, by the hash of splitmix64.  If the points
 * were a sequence with a constant step, some loops would keep step with it.
 */
static uint64_t
hash_point_index(uint64_t n)
{
	n = (n + 1) * 0x9e3779b97f4a7c15u;
	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
	n = (n ^ n >> 27) * 0x94d049bb133111ebu;
	return (n ^ n >> 31) >> 32;
}

uint64_t
histogram_count_points(uint64_t ns, uint64_t period)
{
	uint64_t whole = ns / period;

	return whole + (ns % period > hash_point_index(whole) * period >> 32);
}

/*
 * Returns whether the word can be written; the program may have unmapped it.  A
 * frozen process cannot ask, and gets true.  The kernel adds 0 to it and fails
 * where a store of ours would kill the program.  This wakes no thread wrongly:
 * it could wake only threads that wait on `nobody`, which do not exist, or on
 * the counter; a thread that waits there looks again, as counters are not
 * changed by futex(2).
 */
static bool
is_word_writable(uintptr_t word)
{
	static uint32_t nobody;

	return atomic_load_explicit(&mon->frozen, memory_order_relaxed) ||
	    SYS(futex, &nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0,
	    word & ~(uintptr_t)3, FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_LT,
	    -2048)) != -EFAULT;
}

static bool
is_counter_writable(const struct histogram *h, uintptr_t counter)
{
	return is_word_writable(counter) &&
	    is_word_writable(counter + h->bins.width - 1);
}

/*
 * Adds n to a counter, up to `most`, and returns the part of n that did not
 * fit.
 */
#define ADD_AS(type) \
static uint64_t \
add_##type(uintptr_t counter, uint64_t n, uint64_t most) \
{ \
	type *p = (type *)counter, before, sum; \
\
	before = __atomic_load_n(p, __ATOMIC_RELAXED); \
	do { \
		if (before == most) \
			return n; \
		sum = (type)(n < most - before ? before + n : most); \
	} while (!__atomic_compare_exchange_n(p, &before, sum, true, \
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
	return n - (uint64_t)(type)(sum - before); \
}
ADD_AS(uint16_t)
ADD_AS(uint32_t)
ADD_AS(uint64_t)
#undef ADD_AS

/*
 * Does what add_TYPE() does for an address that is not aligned, byte by byte.
 * If two threads do so at once, one addition may be lost.
 */
static uint64_t
add_unaligned(uintptr_t counter, unsigned width, uint64_t n, uint64_t most)
{
	unsigned char *p = (unsigned char *)counter;
	uint64_t before = 0, sum;

	for (unsigned i = 0; i < width; i++)
		before |= (uint64_t)p[i] << 8 * i;
	sum = n < most - before ? before + n : most;
	for (unsigned i = 0; i < width; i++)
		p[i] = (unsigned char)(sum >> 8 * i);
	return n - (sum - before);
}

/*
 * Adds n to the counter at that address, and returns the part of n that did not
 * fit.
 */
static uint64_t
add_to_counter(const struct histogram *h, uintptr_t counter, uint64_t n)
{
	uint64_t most = bins_most(&h->bins);

	if (counter % h->bins.width != 0)
		return add_unaligned(counter, h->bins.width, n, most);
	switch (h->bins.width) {
	case 2: return add_uint16_t(counter, n, most);
	case 4: return add_uint32_t(counter, n, most);
	default: return add_uint64_t(counter, n, most);
	}
}

/*
 * Adds n to a counter, or counts n as lost if the program has unmapped it, and
 * what does not fit as lost, too.
 */
static void
count_in_histogram(struct histogram *h, uint64_t slot, uint64_t n)
{
	uintptr_t counter = (uintptr_t)h->counters + slot * h->bins.width;
	uint64_t left;

	if (!atomic_load_explicit(&h->gone, memory_order_relaxed) &&
	    !is_counter_writable(h, counter))
		atomic_store_explicit(&h->gone, true, memory_order_relaxed);
	if (atomic_load_explicit(&h->gone, memory_order_relaxed)) {
		loss_count(LOSS_HISTOGRAM_GONE, n);
		return;
	}
	left = add_to_counter(h, counter, n);
	if (left != 0)
		loss_count(LOSS_HISTOGRAM_FULL, left);
}

/*
 * Returns the histogram that holds pc, of several the one that begins highest,
 * or set->rest.  *slot: the number of the counter in it.
 */
static struct histogram *
find_histogram(struct histogram_set *set, uintptr_t pc, uint64_t *slot)
{
	unsigned i = set->count;

	while (i-- > 0) {
		*slot = bins_slot(&set->of[i].bins, pc);
		if (*slot != BINS_NONE && &set->of[i] != set->rest)
			return &set->of[i];
	}
	*slot = 0;
	return set->rest;
}

/*
 * Counts ns of CPU time at pc in a set.  line: the CPU time that the sets of
 * its owner have seen.
 */
static void
count_in_set(struct histogram_set *set, _Atomic uint64_t *line, uintptr_t pc,
    uint64_t ns)
{
	uint64_t before = atomic_fetch_add_explicit(line, ns,
	    memory_order_relaxed);
	uint64_t n = histogram_count_points(before + ns, set->period) -
	    histogram_count_points(before, set->period);
	struct histogram *h;
	uint64_t slot;

	if (n == 0)
		return;
	h = find_histogram(set, pc, &slot);
	if (h != NULL)
		count_in_histogram(h, slot, n);
}

STATE_START bool
histogram_in_use(void)
{
	for (unsigned i = 0; i < HISTOGRAM_OWNERS; i++)
		if (atomic_load_explicit(&installed_sets[i],
		    memory_order_relaxed) != NULL)
			return true;
	return false;
}

void
histogram_count(uintptr_t pc, uint64_t ns)
{
	struct histogram_set *set;

	if (!histogram_in_use())
		return;
	/*
	 * Either a thread that removes a set sees this count, or this tick does
	 * not see that set any more.
	 */
	atomic_fetch_add(&mon->in_histograms, 1);
	for (unsigned i = 0; i < HISTOGRAM_OWNERS; i++) {
		set = atomic_load(&installed_sets[i]);
		if (set != NULL)
			count_in_set(set, &cpu_seen[i], pc, ns);
	}
	atomic_fetch_sub(&mon->in_histograms, 1);
}
