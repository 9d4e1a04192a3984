/*
 * Context: S.  Allocates, adds up and limits live-byte counters, for
 * alloc_thread.c, peak.c and live_control.c; see live_bytes.h.  mon->live_pages
 * is the list of their pages.
 */
#include "heap_live/live_bytes.h"

#include "base/mmap_area.h"
#include "base/state.h"

#define COUNTERS_PER_PAGE		63u		/* counters of a page */
#define NOT_SEEN	INT64_MIN

/* A page of counters.  A fork child finds zeros, and begins with no page. */
struct live_bytes_page {
	struct live_bytes_page *next;
	/* counters used; larger than COUNTERS_PER_PAGE: all are */
	_Atomic unsigned used;
	struct live_bytes_counter live_counter[COUNTERS_PER_PAGE];
};

_Static_assert(sizeof(struct live_bytes_page) == 4096, "a page");

/*
 * Adds a page before `head`.  Returns that page, or the one that another thread
 * has added meanwhile, or NULL.
 */
static struct live_bytes_page *
add_counter_page(struct live_bytes_page *head)
{
	struct live_bytes_page *p = mmap_area_alloc(sizeof(*p)), *first = head;

	if (p == NULL)
		return NULL;
	p->next = head;
	if (sys_madvise(p, sizeof(*p), MADV_WIPEONFORK) == 0 &&
	    atomic_compare_exchange_strong(&mon->live_pages, &first, p))
		return p;
	mmap_area_unmap(p, sizeof(*p));
	return first != head ? first : NULL;
}

struct live_bytes_counter *
live_bytes_create(void)
{
	struct live_bytes_page *p = atomic_load(&mon->live_pages);
	unsigned i = COUNTERS_PER_PAGE;

	while (p == NULL || (i = atomic_fetch_add(&p->used,
	    1)) >= COUNTERS_PER_PAGE) {
		p = add_counter_page(p);
		if (p == NULL)
			return NULL;
	}
	live_bytes_reset(&p->live_counter[i], LIVE_BYTES_NO_STORE);
	return &p->live_counter[i];
}

void
live_bytes_reset(struct live_bytes_counter *s, unsigned generation)
{
	atomic_store(&s->live, 0);
	atomic_store(&s->limit, 0);
	atomic_store(&s->seen, NOT_SEEN);
	atomic_store(&s->generation, generation);
}

static unsigned
used_counters(const struct live_bytes_page *p)
{
	const unsigned n = atomic_load_explicit(&p->used,
	    memory_order_acquire);

	return n < COUNTERS_PER_PAGE ? n : COUNTERS_PER_PAGE;
}

static bool
is_counter_of(const struct live_bytes_counter *s, unsigned generation)
{
	return atomic_load_explicit(&s->generation, memory_order_relaxed) ==
	    generation;
}

static int64_t
counter_live(const struct live_bytes_counter *s)
{
	return atomic_load_explicit(&s->live, memory_order_relaxed);
}

int64_t
live_bytes_sum(unsigned generation)
{
	const struct live_bytes_page *p = atomic_load(&mon->live_pages);
	int64_t sum = -atomic_load(&mon->forgotten);

	for (; p != NULL; p = p->next)
		for (unsigned i = 0; i < used_counters(p); i++)
			if (is_counter_of(&p->live_counter[i], generation))
				sum += counter_live(&p->live_counter[i]);
	return sum;
}

/*
 * Stores the value unless the word has it already: a store would make the
 * counter's thread fetch the cache line again.
 */
static void
store_if_changed(_Atomic int64_t *word, int64_t to)
{
	if (atomic_load_explicit(word, memory_order_relaxed) != to)
		atomic_store_explicit(word, to, memory_order_relaxed);
}

int64_t
live_bytes_snapshot(unsigned generation, unsigned *count)
{
	struct live_bytes_page *p = atomic_load(&mon->live_pages);
	int64_t sum = -atomic_load(&mon->forgotten), live;

	*count = 0;
	for (; p != NULL; p = p->next) {
		for (unsigned i = 0; i < used_counters(p); i++) {
			if (!is_counter_of(&p->live_counter[i], generation))
				continue;
			live = counter_live(&p->live_counter[i]);
			store_if_changed(&p->live_counter[i].seen, live);
			sum += live;
			*count += 1;
		}
	}
	return sum;
}

/*
 * Returns whether the last snapshot has the counter.  One that was made since
 * has no limit, and its thread looks for a peak when it gives out a block.
 */
static bool
is_in_snapshot(const struct live_bytes_counter *s, unsigned generation)
{
	return is_counter_of(s, generation) && atomic_load_explicit(&s->seen,
	    memory_order_relaxed) != NOT_SEEN;
}

static void
set_counter_limit(struct live_bytes_counter *s, int64_t more)
{
	store_if_changed(&s->limit, more + atomic_load_explicit(&s->seen,
	    memory_order_relaxed));
}

void
live_bytes_set_limits(struct live_bytes_counter *own, int64_t spare,
    unsigned count)
{
	const unsigned generation = atomic_load(&own->generation);
	const int64_t others = (int64_t)count - 1;
	const int64_t each = others < 1 ? 0 : spare / 2 / others;
	struct live_bytes_page *p = atomic_load(&mon->live_pages);

	for (; p != NULL; p = p->next)
		for (unsigned i = 0; i < used_counters(p); i++)
			if (is_in_snapshot(&p->live_counter[i], generation))
				set_counter_limit(&p->live_counter[i],
				    &p->live_counter[i] != own ? each :
				    spare - each * others);
}

bool
live_bytes_exceeds_limit(unsigned generation)
{
	const struct live_bytes_page *p = atomic_load(&mon->live_pages);

	atomic_thread_fence(memory_order_seq_cst);
	for (; p != NULL; p = p->next)
		for (unsigned i = 0; i < used_counters(p); i++)
			if (is_in_snapshot(&p->live_counter[i], generation) &&
			    counter_live(&p->live_counter[i]) >
			    atomic_load_explicit( &p->live_counter[i].limit,
			    memory_order_relaxed))
				return true;
	return false;
}

void
live_bytes_expire_limits(void)
{
	struct live_bytes_page *p = atomic_load(&mon->live_pages);

	for (; p != NULL; p = p->next)
		for (unsigned i = 0; i < used_counters(p); i++)
			atomic_store(&p->live_counter[i].limit, INT64_MIN);
}
