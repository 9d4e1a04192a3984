/* Context: S.  Allocation functions, counted; see heapcall.h. */
#include "heapcall.h"

#include "heapcount.h"
#include "heapway.h"

#define REAL(name, type)	((type)heap_real[HEAP_##name])

typedef void *take_one(size_t);
typedef void *take_two(size_t, size_t);
typedef void *change_one(void *, size_t);
typedef void *change_two(void *, size_t, size_t);
typedef int place_it(void **, size_t, size_t);
typedef void give_one(void *);
typedef void give_two(void *, size_t);
typedef void give_three(void *, size_t, size_t);
typedef void *take_three(size_t, size_t, size_t);

#define ONE		size_t second, size_t third, \
			const struct heap_from *from
#define TWO		size_t third, const struct heap_from *from

/* The end of a call that gave out p, or nothing. */
static void *
given(struct lane *l, void *p, size_t n, const struct heap_from *from)
{
	if (l != NULL && p != NULL)
		heapcount_block(l, (uintptr_t)p, n, from, false);
	heapcount_leave(l);
	return p;
}

void *
heapcall_malloc(size_t n, ONE)
{
	struct lane *l = heapcount_enter(from, true);

	(void)second, (void)third;
	return given(l, REAL(malloc, take_one *)(n), n, from);
}

void *
heapcall_calloc(size_t n, size_t each, TWO)
{
	struct lane *l = heapcount_enter(from, true);

	(void)third;
	return given(l, REAL(calloc, take_two *)(n, each), n * each, from);
}

void *
heapcall_aligned_alloc(size_t align, size_t n, TWO)
{
	struct lane *l = heapcount_enter(from, true);

	(void)third;
	return given(l, REAL(aligned_alloc, take_two *)(align, n), n, from);
}

void *
heapcall_memalign(size_t align, size_t n, TWO)
{
	struct lane *l = heapcount_enter(from, true);

	(void)third;
	return given(l, REAL(memalign, take_two *)(align, n), n, from);
}

void *
heapcall_valloc(size_t n, ONE)
{
	struct lane *l = heapcount_enter(from, true);

	(void)second, (void)third;
	return given(l, REAL(valloc, take_one *)(n), n, from);
}

void *
heapcall_pvalloc(size_t n, ONE)
{
	struct lane *l = heapcount_enter(from, true);

	(void)second, (void)third;
	return given(l, REAL(pvalloc, take_one *)(n), n, from);
}

int
heapcall_posix_memalign(void **p, size_t align, size_t n,
    const struct heap_from *from)
{
	struct lane *l = heapcount_enter(from, true);
	int ret = REAL(posix_memalign, place_it *)(p, align, n);

	given(l, ret == 0 ? *p : NULL, n, from);
	return ret;
}

/* A block that is about to be another, or to stay as it is. */
struct change {
	struct lane *lane;
	void *from;
	struct block block;
	bool known;
};

static void
begin_change(struct change *c, void *p, const struct heap_from *from)
{
	c->lane = heapcount_enter(from, true);
	c->from = p;
	c->known = c->lane != NULL && p != NULL &&
	    heapcount_take(c->lane, (uintptr_t)p, &c->block);
}

/* Nothing was given out: the old one is as it was, but that 0 bytes free it. */
static void *
end_change(const struct change *c, void *p, size_t n,
    const struct heap_from *from)
{
	if (c->known && p == NULL && n != 0)
		heapcount_put_back(c->lane, (uintptr_t)c->from, &c->block);
	else if (c->known)
		heapcount_ended(c->lane, (uintptr_t)c->from, &c->block);
	if (c->lane != NULL && p != NULL)
		heapcount_block(c->lane, (uintptr_t)p, n, from,
		    c->from != NULL);
	heapcount_leave(c->lane);
	return p;
}

void *
heapcall_realloc(void *p, size_t n, TWO)
{
	struct change c;

	(void)third;
	begin_change(&c, p, from);
	return end_change(&c, REAL(realloc, change_one *)(p, n), n, from);
}

/* What is too much fails, and is not 0. */
void *
heapcall_reallocarray(void *p, size_t n, size_t each,
    const struct heap_from *from)
{
	struct change c;
	size_t bytes;

	if (__builtin_mul_overflow(n, each, &bytes))
		bytes = SIZE_MAX;
	begin_change(&c, p, from);
	return end_change(&c, REAL(reallocarray, change_two *)(p, n, each),
	    bytes, from);
}

/*
 * Another thread may be given the same block before the real function is back.
 */
static struct lane *
taken_back(void *p, const struct heap_from *from)
{
	struct lane *l;

	__builtin_prefetch((const char *)p - 16);
	l = p == NULL ? NULL : heapcount_enter(from, false);
	if (l != NULL)
		heapcount_end(l, (uintptr_t)p);
	return l;
}

void
heapcall_free(void *p, ONE)
{
	struct lane *l = taken_back(p, from);

	(void)second, (void)third;
	REAL(free, give_one *)(p);
	heapcount_leave(l);
}

void
heapcall_cfree(void *p, ONE)
{
	struct lane *l = taken_back(p, from);

	(void)second, (void)third;
	REAL(cfree, give_one *)(p);
	heapcount_leave(l);
}

void
heapcall_free_sized(void *p, size_t n, TWO)
{
	struct lane *l = taken_back(p, from);

	(void)third;
	REAL(free_sized, give_two *)(p, n);
	heapcount_leave(l);
}

void
heapcall_free_aligned_sized(void *p, size_t align, size_t n,
    const struct heap_from *from)
{
	struct lane *l = taken_back(p, from);

	REAL(free_aligned_sized, give_three *)(p, align, n);
	heapcount_leave(l);
}

/*
 * It may throw, past us: nothing is begun before it is back.  What it calls of
 * its own library does not come here.
 */
void *
heapcall_new(size_t n, size_t second, size_t third,
    const struct heap_from *from, unsigned which)
{
	void *p = ((take_three *)heap_real[which])(n, second, third);

	return given(heapcount_enter(from, true), p, n, from);
}

void
heapcall_delete(void *p, size_t second, size_t third,
    const struct heap_from *from, unsigned which)
{
	struct lane *l = taken_back(p, from);

	((give_three *)heap_real[which])(p, second, third);
	heapcount_leave(l);
}
