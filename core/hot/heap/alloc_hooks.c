/*
 * Context: S.  Calls the real allocation functions, and counts what they do.
 * The stubs of core/arch/CPU/heap.S call these functions on the program's
 * stack, in any thread and any signal handler; see alloc_hooks.h.
 */
#include "heap/alloc_hooks.h"

#include "heap/alloc_count.h"
#include "heap/alloc_dispatch.h"

#define REAL(name, type)	((type)alloc_dispatch_real[ALLOC_##name])

typedef void *alloc_fn(size_t);
typedef void *alloc_fn2(size_t, size_t);
typedef void *realloc_fn(void *, size_t);
typedef void *reallocarray_fn(void *, size_t, size_t);
typedef int posix_memalign_fn(void **, size_t, size_t);
typedef void free_fn(void *);
typedef void free_fn2(void *, size_t);
typedef void free_fn3(void *, size_t, size_t);
typedef void *alloc_fn3(size_t, size_t, size_t);

/*
 * The parameters that follow the one argument, or the two arguments, of a
 * function.
 */
#define ONE		size_t second, size_t third, \
			const struct alloc_caller *from
#define TWO		size_t third, const struct alloc_caller *from

/*
 * Ends a call that gave out a block of n bytes at p, or failed (p is NULL).
 * Returns p.
 */
static void *
count_alloc_result(struct alloc_thread *l, void *p, size_t n,
    const struct alloc_caller *from)
{
	if (l != NULL && p != NULL)
		alloc_count_block(l, (uintptr_t)p, n, from, false);
	alloc_count_leave(l);
	return p;
}

void *
alloc_hooks_malloc(size_t n, ONE)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)second, (void)third;
	return count_alloc_result(l, REAL(malloc, alloc_fn *)(n), n, from);
}

void *
alloc_hooks_calloc(size_t n, size_t each, TWO)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)third;
	return count_alloc_result(l, REAL(calloc, alloc_fn2 *)(n, each),
	    n * each, from);
}

void *
alloc_hooks_aligned_alloc(size_t align, size_t n, TWO)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)third;
	return count_alloc_result(l, REAL(aligned_alloc, alloc_fn2 *)(align, n),
	    n, from);
}

void *
alloc_hooks_memalign(size_t align, size_t n, TWO)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)third;
	return count_alloc_result(l, REAL(memalign, alloc_fn2 *)(align, n), n,
	    from);
}

void *
alloc_hooks_valloc(size_t n, ONE)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)second, (void)third;
	return count_alloc_result(l, REAL(valloc, alloc_fn *)(n), n, from);
}

void *
alloc_hooks_pvalloc(size_t n, ONE)
{
	struct alloc_thread *l = alloc_count_enter(from, true);

	(void)second, (void)third;
	return count_alloc_result(l, REAL(pvalloc, alloc_fn *)(n), n, from);
}

int
alloc_hooks_posix_memalign(void **p, size_t align, size_t n,
    const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter(from, true);
	int ret = REAL(posix_memalign, posix_memalign_fn *)(p, align, n);

	count_alloc_result(l, ret == 0 ? *p : NULL, n, from);
	return ret;
}

/*
 * A call of realloc() under way: the old block, which is about to be replaced
 * or to stay as it is.
 */
struct realloc_call {
	struct alloc_thread *thread;
	void *from;
	struct live_block block;
	bool known;
};

/*
 * Begins a call of realloc() for the block at p, or NULL, which it takes out of
 * the table.
 */
static void
begin_realloc_call(struct realloc_call *c, void *p,
    const struct alloc_caller *from)
{
	c->thread = alloc_count_enter(from, true);
	c->from = p;
	c->known = c->thread != NULL && p != NULL &&
	    alloc_count_remove(c->thread, (uintptr_t)p, &c->block);
}

/*
 * Ends a call of realloc().  If the real function gave out no block, the old
 * block is as it was, except that a size of 0 has freed it.
 */
static void *
end_realloc_call(const struct realloc_call *c, void *p, size_t n,
    const struct alloc_caller *from)
{
	if (c->known && p == NULL && n != 0)
		alloc_count_restore(c->thread, (uintptr_t)c->from, &c->block);
	else if (c->known)
		alloc_count_finish_free(c->thread, (uintptr_t)c->from,
		    &c->block);
	if (c->thread != NULL && p != NULL)
		alloc_count_block(c->thread, (uintptr_t)p, n, from,
		    c->from != NULL);
	alloc_count_leave(c->thread);
	return p;
}

void *
alloc_hooks_realloc(void *p, size_t n, TWO)
{
	struct realloc_call c;

	(void)third;
	begin_realloc_call(&c, p, from);
	return end_realloc_call(&c, REAL(realloc, realloc_fn *)(p, n), n, from);
}

/*
 * A product that overflows counts as SIZE_MAX, not as 0: the call fails, and
 * does not free the block.
 */
void *
alloc_hooks_reallocarray(void *p, size_t n, size_t each,
    const struct alloc_caller *from)
{
	struct realloc_call c;
	size_t bytes;

	if (__builtin_mul_overflow(n, each, &bytes))
		bytes = SIZE_MAX;
	begin_realloc_call(&c, p, from);
	return end_realloc_call(&c, REAL(reallocarray, reallocarray_fn *)(p, n,
	    each), bytes, from);
}

/*
 * Counts the end of block p before the real function frees it, because another
 * thread may be given the same block before the real function returns.
 */
static struct alloc_thread *
begin_free_call(void *p, const struct alloc_caller *from)
{
	struct alloc_thread *l;

	__builtin_prefetch((const char *)p - 16);
	l = p == NULL ? NULL : alloc_count_enter(from, false);
	if (l != NULL)
		alloc_count_free(l, (uintptr_t)p);
	return l;
}

void
alloc_hooks_free(void *p, ONE)
{
	struct alloc_thread *l = begin_free_call(p, from);

	(void)second, (void)third;
	REAL(free, free_fn *)(p);
	alloc_count_leave(l);
}

void
alloc_hooks_cfree(void *p, ONE)
{
	struct alloc_thread *l = begin_free_call(p, from);

	(void)second, (void)third;
	REAL(cfree, free_fn *)(p);
	alloc_count_leave(l);
}

void
alloc_hooks_free_sized(void *p, size_t n, TWO)
{
	struct alloc_thread *l = begin_free_call(p, from);

	(void)third;
	REAL(free_sized, free_fn2 *)(p, n);
	alloc_count_leave(l);
}

void
alloc_hooks_free_aligned_sized(void *p, size_t align, size_t n,
    const struct alloc_caller *from)
{
	struct alloc_thread *l = begin_free_call(p, from);

	REAL(free_aligned_sized, free_fn3 *)(p, align, n);
	alloc_count_leave(l);
}

/*
 * The real operator may throw past this function, so nothing is begun before it
 * has returned.  Calls that it makes within its own library do not reach us.
 */
void *
alloc_hooks_new(size_t n, size_t second, size_t third,
    const struct alloc_caller *from, unsigned which)
{
	void *p = ((alloc_fn3 *)alloc_dispatch_real[which])(n, second, third);

	return count_alloc_result(alloc_count_enter(from, true), p, n, from);
}

void
alloc_hooks_delete(void *p, size_t second, size_t third,
    const struct alloc_caller *from, unsigned which)
{
	struct alloc_thread *l = begin_free_call(p, from);

	((free_fn3 *)alloc_dispatch_real[which])(p, second, third);
	alloc_count_leave(l);
}
