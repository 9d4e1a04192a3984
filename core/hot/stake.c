/* Context: S.  Stakes, page by page; see stake.h. */
#include "stake.h"

#include "region.h"
#include "state.h"

#define STAKES		63u		/* a page */
#define NOT_SEEN	INT64_MIN

/* Zero in a fork child, which begins with none. */
struct stakes {
	struct stakes *next;
	_Atomic unsigned used;	/* or more: STAKES are */
	struct stake stake[STAKES];
};

_Static_assert(sizeof(struct stakes) == 4096, "a page");

/* Before that one, or by another thread. */
static struct stakes *
add_page(struct stakes *head)
{
	struct stakes *p = region_memory(sizeof *p), *first = head;

	if (p == NULL)
		return NULL;
	p->next = head;
	if (sys_madvise(p, sizeof *p, MADV_WIPEONFORK) == 0 &&
	    atomic_compare_exchange_strong(&mon->stakes, &first, p))
		return p;
	region_unmap(p, sizeof *p);
	return first != head ? first : NULL;
}

struct stake *
stake_take(void)
{
	struct stakes *p = atomic_load(&mon->stakes);
	unsigned i = STAKES;

	while (p == NULL || (i = atomic_fetch_add(&p->used, 1)) >= STAKES) {
		p = add_page(p);
		if (p == NULL)
			return NULL;
	}
	stake_begin(&p->stake[i], STAKE_OF_NONE);
	return &p->stake[i];
}

void
stake_begin(struct stake *s, unsigned generation)
{
	atomic_store(&s->live, 0);
	atomic_store(&s->limit, 0);
	atomic_store(&s->seen, NOT_SEEN);
	atomic_store(&s->generation, generation);
}

static unsigned
used(const struct stakes *p)
{
	const unsigned n = atomic_load_explicit(&p->used,
	    memory_order_acquire);

	return n < STAKES ? n : STAKES;
}

static bool
is_of(const struct stake *s, unsigned generation)
{
	return atomic_load_explicit(&s->generation, memory_order_relaxed) ==
	    generation;
}

static int64_t
live_of(const struct stake *s)
{
	return atomic_load_explicit(&s->live, memory_order_relaxed);
}

int64_t
stake_sum(unsigned generation)
{
	const struct stakes *p = atomic_load(&mon->stakes);
	int64_t sum = -atomic_load(&mon->forgotten);
	unsigned i;

	for (; p != NULL; p = p->next)
		for (i = 0; i < used(p); i++)
			if (is_of(&p->stake[i], generation))
				sum += live_of(&p->stake[i]);
	return sum;
}

/* Not written where it is so: its thread would have to fetch the line again. */
static void
put(_Atomic int64_t *word, int64_t to)
{
	if (atomic_load_explicit(word, memory_order_relaxed) != to)
		atomic_store_explicit(word, to, memory_order_relaxed);
}

int64_t
stake_look(unsigned generation, unsigned *count)
{
	struct stakes *p = atomic_load(&mon->stakes);
	int64_t sum = -atomic_load(&mon->forgotten), live;
	unsigned i;

	*count = 0;
	for (; p != NULL; p = p->next) {
		for (i = 0; i < used(p); i++) {
			if (!is_of(&p->stake[i], generation))
				continue;
			live = live_of(&p->stake[i]);
			put(&p->stake[i].seen, live);
			sum += live;
			*count += 1;
		}
	}
	return sum;
}

/*
 * One that came since is not of the count: it asks when it gives out a block.
 */
static bool
was_seen(const struct stake *s, unsigned generation)
{
	return is_of(s, generation) && atomic_load_explicit(&s->seen,
	    memory_order_relaxed) != NOT_SEEN;
}

static void
limit(struct stake *s, int64_t more)
{
	put(&s->limit, more + atomic_load_explicit(&s->seen,
	    memory_order_relaxed));
}

void
stake_out(struct stake *own, int64_t spare, unsigned count)
{
	const unsigned generation = atomic_load(&own->generation);
	const int64_t others = (int64_t)count - 1;
	const int64_t each = others < 1 ? 0 : spare / 2 / others;
	struct stakes *p = atomic_load(&mon->stakes);
	unsigned i;

	for (; p != NULL; p = p->next)
		for (i = 0; i < used(p); i++)
			if (was_seen(&p->stake[i], generation))
				limit(&p->stake[i], &p->stake[i] != own ?
				    each : spare - each * others);
}

bool
stake_is_past(unsigned generation)
{
	const struct stakes *p = atomic_load(&mon->stakes);
	unsigned i;

	atomic_thread_fence(memory_order_seq_cst);
	for (; p != NULL; p = p->next)
		for (i = 0; i < used(p); i++)
			if (was_seen(&p->stake[i], generation) &&
			    live_of(&p->stake[i]) > atomic_load_explicit(
			    &p->stake[i].limit, memory_order_relaxed))
				return true;
	return false;
}

void
stake_recall(void)
{
	struct stakes *p = atomic_load(&mon->stakes);
	unsigned i;

	for (; p != NULL; p = p->next)
		for (i = 0; i < used(p); i++)
			atomic_store(&p->stake[i].limit, INT64_MIN);
}
