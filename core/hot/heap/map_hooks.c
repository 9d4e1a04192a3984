/*
 * Context: S.  Calls the real functions that map memory, and counts what they
 * do.  The stubs of core/arch/CPU/map.S call these functions on the program's
 * stack, in any thread and any signal handler; see map_hooks.h.
 */
#include "heap/map_hooks.h"

#include "heap/alloc_count.h"
#include "heap/map_count.h"
#include "heap/map_real.h"
#include "module/code_unmap.h"

#include <sys/mman.h>

#define REAL(name, type)	((type)map_real[MAP_##name])

typedef int brk_fn(void *);
typedef void *sbrk_fn(intptr_t);

#define FAILED		((void *)-1)

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP	4
#endif

/*
 * Returns the end of n bytes at `at`, rounded up to a whole page, as the kernel
 * does.  If the end wraps around, the kernel's call fails; returns `at` then.
 */
static uintptr_t
page_end_of(const void *at, size_t n)
{
	const uintptr_t start = (uintptr_t)at;
	const uintptr_t end = (start + n + config.page - 1) &
	    ~((uintptr_t)config.page - 1);

	return end > start ? end : start;
}

/*
 * Returns n rounded up to whole huge pages, if `flags` ask for these.  If
 * `flags` do not give their size, it is what a page of entries of 8 bytes maps,
 * unless the kernel was booted with another size.
 */
static size_t
round_to_huge_page(size_t n, int flags)
{
	const unsigned bits = (unsigned)flags >> MAP_HUGE_SHIFT & MAP_HUGE_MASK;
	const size_t page = bits != 0 ? (size_t)1 << bits :
	    config.page / 8 * config.page;

	return (flags & MAP_HUGETLB) == 0 ? n : (n + page - 1) & ~(page - 1);
}

/* Counts a mapping from `start` to `end`, which the call has made. */
static void
count_new_mapping(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    const struct alloc_caller *from, bool resized)
{
	const uint32_t path = lineage_is_paused(LINEAGE_UNHEAPED) ? 0 :
	    alloc_count_map_path(l, from);

	map_count_add(l, start, end, path, resized);
}

/* Ends a call that mapped n bytes at p, or failed.  Returns p. */
static void *
count_map_result(struct alloc_thread *l, void *p, size_t n,
    const struct alloc_caller *from, bool resized)
{
	if (l != NULL && p != FAILED)
		count_new_mapping(l, (uintptr_t)p, page_end_of(p, n), from,
		    resized);
	alloc_count_leave_map(l, from);
	return p;
}

void *
map_hooks_mmap(void *at, size_t n, int prot, int flags, int fd, long offset,
    const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, true);

	return count_map_result(l, code_unmap_mmap(at, n, prot, flags, fd,
	    offset), round_to_huge_page(n, flags), from, false);
}

void *
map_hooks_mmap64(void *at, size_t n, int prot, int flags, int fd, long offset,
    const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, true);

	return count_map_result(l, code_unmap_mmap64(at, n, prot, flags, fd,
	    offset), round_to_huge_page(n, flags), from, false);
}

/*
 * Returns whether the kernel refuses to unmap that range at once.  No process
 * has mappings on both sides of 2^48: user space ends there, or the stack lies
 * below.
 */
static bool
is_invalid_unmap(uintptr_t start, uintptr_t end)
{
	return (start & (config.page - 1)) != 0 ||
	    (start >> 48 == 0 && end > (uintptr_t)1 << 48);
}

/*
 * Prepares for a call that unmaps n bytes at `at`: takes them out of the table
 * into *off, unless the call will fail.  l may be NULL.
 */
static void
begin_unmap(struct alloc_thread *l, const void *at, size_t n,
    struct map_count_removal *off)
{
	const uintptr_t start = (uintptr_t)at, end = page_end_of(at, n);

	map_count_begin(off);
	if (l != NULL && !is_invalid_unmap(start, end))
		map_count_remove(l, start, end, off);
}

int
map_hooks_munmap(void *at, size_t n, long third, long fourth, long fifth,
    long sixth, const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, false);
	struct map_count_removal off;
	int ret;

	(void)third, (void)fourth, (void)fifth, (void)sixth;
	begin_unmap(l, at, n, &off);
	ret = code_unmap_munmap(at, n);
	map_count_finish_remove(l, &off, ret != 0);
	alloc_count_leave_map(l, from);
	return ret;
}

void *
map_hooks_mremap(void *at, size_t n, size_t to, int flags, void *there,
    long sixth, const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, true);
	struct map_count_removal off;
	void *p;

	(void)sixth;
	begin_unmap(l, at, n, &off);
	p = code_unmap_mremap(at, n, to, flags, there);
	map_count_finish_remove(l, &off, p == FAILED ||
	    (flags & MREMAP_DONTUNMAP) != 0);
	return count_map_result(l, p, to, from, n != 0);
}

static uintptr_t
current_break(void)
{
	return (uintptr_t)REAL(sbrk, sbrk_fn *)(0);
}

/*
 * Ends a call that moved the break from `before` to `after`; 0: the call
 * failed.
 */
static void
end_break_move(struct alloc_thread *l, uintptr_t before, uintptr_t after,
    const struct alloc_caller *from)
{
	if (l != NULL && after > before)
		count_new_mapping(l, before, after, from, false);
	alloc_count_leave_map(l, from);
}

/*
 * Prepares for a call that may lower the break to `after`.  If that is too low,
 * the break stays where it is, although libc reports success.
 */
static void
begin_break_move(struct alloc_thread *l, uintptr_t before, uintptr_t after,
    struct map_count_removal *off)
{
	map_count_begin(off);
	if (l != NULL && after < before)
		map_count_remove(l, after, before, off);
}

int
map_hooks_brk(void *end, long second, long third, long fourth, long fifth,
    long sixth, const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, true);
	const uintptr_t before = current_break();
	struct map_count_removal off;
	int ret;

	(void)second, (void)third, (void)fourth, (void)fifth, (void)sixth;
	begin_break_move(l, before, (uintptr_t)end, &off);
	ret = REAL(brk, brk_fn *)(end);
	map_count_finish_remove(l, &off, ret != 0 || current_break() >= before);
	end_break_move(l, before, ret == 0 ? (uintptr_t)end : 0, from);
	return ret;
}

void *
map_hooks_sbrk(intptr_t more, long second, long third, long fourth, long fifth,
    long sixth, const struct alloc_caller *from)
{
	struct alloc_thread *l = alloc_count_enter_map(from, true);
	const uintptr_t before = current_break();
	struct map_count_removal off;
	void *p;

	(void)second, (void)third, (void)fourth, (void)fifth, (void)sixth;
	begin_break_move(l, before, before + (uintptr_t)more, &off);
	p = REAL(sbrk, sbrk_fn *)(more);
	map_count_finish_remove(l, &off, p == FAILED ||
	    current_break() >= before);
	end_break_move(l, before, p == FAILED ? 0 : before + (uintptr_t)more,
	    from);
	return p;
}
