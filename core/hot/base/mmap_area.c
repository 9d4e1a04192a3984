/*
 * Context: S.  Maps memory of the library's own, at addresses that the kernel
 * would not choose for the program; all of the target calls it.  Any thread may
 * do so at any instruction, so the region has no lock.
 *
 * With a hint of NULL the kernel would place a mapping in the hole that the
 * program made last, and the program may map there again with MAP_FIXED.  So
 * the library chooses the address: it stacks its mappings upwards from an
 * address far below its own, where the program has not been and where the
 * kernel does not look first.  A program may have reserved that region:
 * runtimes of languages reserve 1 TiB and more, which the kernel puts right
 * below the libraries.  Then the library goes on in a region that is further
 * away.
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
/* Each region begins so many times further away than the first. */
static const unsigned char further[] = { 1, 32, 128 };
#define REGIONS		(sizeof(further) / sizeof(further[0]))

#define TRIES		16
#define PAGE_MOST	65536u

/*
 * First free address of each region; 0 before its first mapping.  Not wiped at
 * a fork, because the child has its parent's mappings.
 */
static _Atomic uintptr_t next_address[REGIONS];

/* The kernel locks each new mapping, because of mlockall(MCL_FUTURE). */
static atomic_bool locked;

/* Returns how far below the library the first region begins, in bytes. */
static uintptr_t
first_distance(void)
{
	return (uintptr_t)&next_address >= ADDRESS_39 ? FAR : FAR_39;
}

/* Returns whether the region lies well above address 0. */
static bool
region_exists(unsigned region)
{
	return (uintptr_t)&next_address > first_distance() *
	    (further[region] + 3u);
}

static uintptr_t
region_begin(unsigned region)
{
	return ((uintptr_t)&next_address - first_distance() *
	    further[region]) & ~(uintptr_t)(PAGE_MOST - 1);
}

static uintptr_t
region_end(unsigned region)
{
	return region_begin(region) + first_distance() / 4 * 3;
}

/* Returns the region of the last mapping: those before it had no room. */
static unsigned
last_region(void)
{
	unsigned region = REGIONS - 1;

	while (region > 0 && atomic_load_explicit(&next_address[region],
	    memory_order_relaxed) == 0)
		region--;
	return region;
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
take_addresses(unsigned region, size_t n)
{
	const uintptr_t begin = region_begin(region), end = region_end(region);
	uintptr_t at, from = atomic_load_explicit(&next_address[region],
	    memory_order_relaxed);

	if (n > first_distance() / 2)
		return 0;
	do
		at = from < begin || from > end - n ? begin : from;
	while (!atomic_compare_exchange_weak(&next_address[region], &from,
	    at + n));
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
 * Maps in the region.  Returns the address; NULL if it finds no place there, or
 * if the kernel refuses: then *refused is set.  The other parameters are those
 * of mmap_area_map_sparse().
 */
static void *
map_in_region(unsigned region, size_t n, size_t cap, int prot, int flags,
    int fd, bool *refused)
{
	const size_t bytes = round_to_pages(cap);

	for (unsigned i = 0; i < TRIES; i++) {
		/* Skips a mapping in the way, twice as far each time. */
		size_t room = bytes << i;
		uintptr_t at = room >> i == bytes ?
		    take_addresses(region, room) : 0;
		long ret;

		if (at == 0)
			return NULL;
		at += room - bytes;
		ret = map_at_address(at, n, prot, flags, fd);
		if (ret == (long)at) {
			void *p = grow_mapping((void *)at, n, cap, 0);

			if (p != NULL)
				return p;
			/* less than `cap` bytes are free here */
			continue;
		}
		if (!sys_failed(ret)) {
			sys_munmap((void *)ret, n);	/* before Linux 4.17 */
		} else if (ret != -EEXIST) {
			*refused = true;
			return NULL;
		}
	}
	return NULL;
}

/*
 * Maps in a region or, if none has a place, anywhere.  Parameters and result
 * are those of mmap_area_map_sparse().
 */
static void *
map_in_area(size_t n, size_t cap, int prot, int flags, int fd)
{
	bool refused = false;

	for (unsigned region = last_region(); region < REGIONS &&
	    region_exists(region); region++) {
		void *p = map_in_region(region, n, cap, prot, flags, fd,
		    &refused);

		if (p != NULL || refused)
			return p;
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

static bool
is_in_region(unsigned region, const void *p, size_t n)
{
	const uintptr_t at = (uintptr_t)p;

	return region_exists(region) && at >= region_begin(region) &&
	    at < region_end(region) && n <= region_end(region) - at;
}

void
mmap_area_unmap(void *p, size_t n)
{
	sys_munmap(p, n);
	for (unsigned region = 0; region < REGIONS; region++) {
		uintptr_t last = (uintptr_t)p + round_to_pages(n);

		if (is_in_region(region, p, n))
			atomic_compare_exchange_strong(&next_address[region],
			    &last, (uintptr_t)p);
	}
}

bool
mmap_area_contains(const void *p, size_t n)
{
	for (unsigned region = 0; region < REGIONS; region++)
		if (is_in_region(region, p, n))
			return true;
	return false;
}

bool
mmap_area_has_placed(uintptr_t low, uintptr_t high)
{
	for (unsigned region = 0; region < REGIONS; region++)
		if (region_exists(region) && low >= region_begin(region) &&
		    high <= atomic_load(&next_address[region]))
			return true;
	return false;
}

void
mmap_area_set_locked(bool future)
{
	atomic_store(&locked, future);
}
