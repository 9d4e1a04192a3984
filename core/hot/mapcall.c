/* Context: S.  Calls that map memory, counted; see mapcall.h. */
#include "mapcall.h"

#include "heapcount.h"
#include "mapcount.h"
#include "mapway.h"
#include "textmap.h"

#include <sys/mman.h>

#define REAL(name, type)	((type)map_real[MAP_##name])

typedef int set_end(void *);
typedef void *move_end(intptr_t);

#define FAILED		((void *)-1)

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP	4
#endif

/* Up to a whole page, as the kernel does; what wraps fails there, too. */
static uintptr_t
end_of(const void *at, size_t n)
{
	const uintptr_t start = (uintptr_t)at;
	const uintptr_t end = (start + n + config.page - 1) &
	    ~((uintptr_t)config.page - 1);

	return end > start ? end : start;
}

/*
 * Of huge pages whole ones are given.  Where their size is not said it is what
 * a page of entries of 8 bytes maps, unless the kernel was booted with another.
 */
static size_t
in_whole_pages(size_t n, int flags)
{
	const unsigned bits = (unsigned)flags >> MAP_HUGE_SHIFT & MAP_HUGE_MASK;
	const size_t page = bits != 0 ? (size_t)1 << bits :
	    config.page / 8 * config.page;

	return (flags & MAP_HUGETLB) == 0 ? n : (n + page - 1) & ~(page - 1);
}

/* The end of a call that mapped something there, or failed. */
static void *
mapped(struct lane *l, void *p, size_t n, const struct heap_from *from,
    bool resized)
{
	if (l != NULL && p != FAILED)
		mapcount_given(l, (uintptr_t)p, end_of(p, n), from, resized);
	heapcount_leave_map(l, from);
	return p;
}

void *
mapcall_mmap(void *at, size_t n, int prot, int flags, int fd, long offset,
    const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, true);

	return mapped(l, textmap_mmap(at, n, prot, flags, fd, offset),
	    in_whole_pages(n, flags), from, false);
}

void *
mapcall_mmap64(void *at, size_t n, int prot, int flags, int fd, long offset,
    const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, true);

	return mapped(l, textmap_mmap64(at, n, prot, flags, fd, offset),
	    in_whole_pages(n, flags), from, false);
}

/*
 * The kernel refuses it at once.  Nobody has something on both sides of 2^48:
 * it is where user space ends, or the stack is before it.
 */
static bool
is_refused(uintptr_t start, uintptr_t end)
{
	return (start & (config.page - 1)) != 0 ||
	    (start >> 48 == 0 && end > (uintptr_t)1 << 48);
}

static void
take_pages(struct lane *l, const void *at, size_t n, struct mapcount_off *off)
{
	const uintptr_t start = (uintptr_t)at, end = end_of(at, n);

	mapcount_begin(off);
	if (l != NULL && !is_refused(start, end))
		mapcount_take(l, start, end, off);
}

int
mapcall_munmap(void *at, size_t n, long third, long fourth, long fifth,
    long sixth, const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, false);
	struct mapcount_off off;
	int ret;

	(void)third, (void)fourth, (void)fifth, (void)sixth;
	take_pages(l, at, n, &off);
	ret = textmap_munmap(at, n);
	mapcount_taken(l, &off, ret != 0);
	heapcount_leave_map(l, from);
	return ret;
}

void *
mapcall_mremap(void *at, size_t n, size_t to, int flags, void *there,
    long sixth, const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, true);
	struct mapcount_off off;
	void *p;

	(void)sixth;
	take_pages(l, at, n, &off);
	p = textmap_mremap(at, n, to, flags, there);
	mapcount_taken(l, &off, p == FAILED ||
	    (flags & MREMAP_DONTUNMAP) != 0);
	return mapped(l, p, to, from, n != 0);
}

static uintptr_t
end_now(void)
{
	return (uintptr_t)REAL(sbrk, move_end *)(0);
}

/* The end of the data goes from there to there. */
static void
moved(struct lane *l, uintptr_t before, uintptr_t after,
    const struct heap_from *from)
{
	if (l != NULL && after > before)
		mapcount_given(l, before, after, from, false);
	heapcount_leave_map(l, from);
}

/* About to go down.  Where that is too far it stays, and libc says it went. */
static void
take_end(struct lane *l, uintptr_t before, uintptr_t after,
    struct mapcount_off *off)
{
	mapcount_begin(off);
	if (l != NULL && after < before)
		mapcount_take(l, after, before, off);
}

int
mapcall_brk(void *end, long second, long third, long fourth, long fifth,
    long sixth, const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, true);
	const uintptr_t before = end_now();
	struct mapcount_off off;
	int ret;

	(void)second, (void)third, (void)fourth, (void)fifth, (void)sixth;
	take_end(l, before, (uintptr_t)end, &off);
	ret = REAL(brk, set_end *)(end);
	mapcount_taken(l, &off, ret != 0 || end_now() >= before);
	moved(l, before, ret == 0 ? (uintptr_t)end : 0, from);
	return ret;
}

void *
mapcall_sbrk(intptr_t more, long second, long third, long fourth, long fifth,
    long sixth, const struct heap_from *from)
{
	struct lane *l = heapcount_enter_map(from, true);
	const uintptr_t before = end_now();
	struct mapcount_off off;
	void *p;

	(void)second, (void)third, (void)fourth, (void)fifth, (void)sixth;
	take_end(l, before, before + (uintptr_t)more, &off);
	p = REAL(sbrk, move_end *)(more);
	mapcount_taken(l, &off, p == FAILED || end_now() >= before);
	moved(l, before, p == FAILED ? 0 : before + (uintptr_t)more, from);
	return p;
}
