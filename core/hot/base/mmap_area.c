/*
 * Context: S.  Maps memory of the library's own, at addresses that the kernel
 * would not choose for the program; all of the target calls it.  Any thread may
 * do so at any instruction, so the region has no lock.
 *
 * With a hint of NULL the kernel would place a mapping in the hole that the
 * program made last, and the program may map there again with MAP_FIXED.  So
 * the library chooses the address: it stacks its mappings upwards from an
 * address far below its own, where the program has not been and where the
 * kernel does not look first.
 */
#include "base/mmap_area.h"

#include "base/state.h"
#include "base/sys.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE	0x100000	/* Linux 4.17 */
#endif

/*
 * The distance of the region below the library.  ThreadSanitizer ends a process
 * that has a mapping below 0x7e8000000000 when it starts, and 28 random bits
 * can put the library at 0x7eff00000000: 64 GiB stay above that.  Where
 * addresses have 39 bits (aarch64) the program begins 43 GiB below the library
 * at the worst.
 */
#define FAR		((uintptr_t)64 << 30)
#define FAR_39		((uintptr_t)4 << 30)
#define ADDRESS_39	((uintptr_t)1 << 39)

#define TRIES		16
#define PAGE_MOST	65536u

/*
 * First free address of the region; 0 before the first mapping.  Not wiped at a
 * fork, because the child has its parent's mappings.
 */
static _Atomic uintptr_t next_address;

/* The kernel locks each new mapping, because of mlockall(MCL_FUTURE). */
static atomic_bool locked;

/*
 * Returns how far below the library the region begins, in bytes, or 0 if there
 * is no room for it.
 */
static uintptr_t
area_distance(void)
{
	const uintptr_t here = (uintptr_t)&next_address;

	return here >= ADDRESS_39 ? FAR : here > 4 * FAR_39 ? FAR_39 : 0;
}

static uintptr_t
area_begin(void)
{
	return ((uintptr_t)&next_address - area_distance()) &
	    ~(uintptr_t)(PAGE_MOST - 1);
}

static uintptr_t
area_end(void)
{
	return area_begin() + area_distance() / 4 * 3;
}

static size_t
round_to_pages(size_t n)
{
	const size_t page = config.page != 0 ? config.page : PAGE_MOST;

	return (n + page - 1) & ~(page - 1);
}

/*
 * Takes addresses for n bytes and returns the first, or 0 if n is too large.
 * After the last address of the region it begins again at the first.
 */
static uintptr_t
take_addresses(size_t n)
{
	uintptr_t at, from = atomic_load_explicit(&next_address,
	    memory_order_relaxed);

	if (n > area_distance() / 2)
		return 0;
	do
		at = from < area_begin() || from > area_end() - n ?
		    area_begin() : from;
	while (!atomic_compare_exchange_weak(&next_address, &from, at + n));
	return at;
}

static long
map_at_address(uintptr_t at, size_t n, int prot, int flags, int fd)
{
	return SYS(mmap, at, n, prot, flags | MAP_FIXED_NOREPLACE, fd, 0);
}

/*
 * Grows a new mapping of n bytes to `cap`, unlocked.  flags: those of
 * mremap(2).  Unmaps it and returns NULL if it cannot grow.
 */
static void *
grow_mapping(void *first, size_t n, size_t cap, int flags)
{
	long ret;

	if (cap == n)
		return first;
	SYS(munlock, first, n, 0, 0, 0, 0);
	ret = SYS(mremap, first, n, cap, flags, 0, 0);
	if (!sys_failed(ret))
		return (void *)ret;
	sys_munmap(first, n);
	return NULL;
}

/*
 * Maps at an address that the kernel chooses.  This is the last resort, for a
 * system that ignores every hint.
 */
static void *
map_anywhere(size_t n, size_t cap, int prot, int flags, int fd)
{
	void *first = sys_mmap(NULL, n, prot, flags, fd, 0);

	return first == NULL ? NULL : grow_mapping(first, n, cap,
	    MREMAP_MAYMOVE);
}

/*
 * Maps in the region or, if that has no place, anywhere.  Parameters and result
 * are those of mmap_area_map_sparse().
 */
static void *
map_in_area(size_t n, size_t cap, int prot, int flags, int fd)
{
	const size_t bytes = round_to_pages(cap);

	for (unsigned i = 0; i < TRIES; i++) {
		/* Skips a mapping in the way, twice as far each time. */
		size_t room = bytes << i;
		uintptr_t at = room >> i == bytes ? take_addresses(room) : 0;
		long ret;

		if (at == 0)
			break;
		at += room - bytes;
		ret = map_at_address(at, n, prot, flags, fd);
		if (ret == (long)at) {
			void *p = grow_mapping((void *)at, n, cap, 0);

			if (p != NULL)
				return p;
			/* less than `cap` bytes are free here */
			continue;
		}
		if (!sys_failed(ret))
			sys_munmap((void *)ret, n);	/* before Linux 4.17 */
		else if (ret != -EEXIST)
			return NULL;
	}
	return map_anywhere(n, cap, prot, flags, fd);
}

void *
mmap_area_map_sparse(size_t n, size_t cap, int prot, int flags, int fd)
{
	void *p = map_in_area(n, cap, prot, flags, fd);

	if (p != NULL && atomic_load_explicit(&locked, memory_order_relaxed))
		SYS(munlock, p, cap, 0, 0, 0, 0);
	return p;
}

void *
mmap_area_map(size_t n, int prot, int flags, int fd)
{
	return mmap_area_map_sparse(n, n, prot, flags, fd);
}

void *
mmap_area_alloc(size_t n)
{
	return mmap_area_map(n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

void
mmap_area_unmap(void *p, size_t n)
{
	uintptr_t last = (uintptr_t)p + round_to_pages(n);

	sys_munmap(p, n);
	if (mmap_area_contains(p, n))
		atomic_compare_exchange_strong(&next_address, &last,
		    (uintptr_t)p);
}

bool
mmap_area_contains(const void *p, size_t n)
{
	const uintptr_t at = (uintptr_t)p;

	return area_distance() != 0 && at >= area_begin() && at < area_end() &&
	    n <= area_end() - at;
}

bool
mmap_area_has_placed(uintptr_t low, uintptr_t high)
{
	return low >= area_begin() && high <= atomic_load(&next_address);
}

void
mmap_area_set_locked(bool future)
{
	atomic_store(&locked, future);
}
