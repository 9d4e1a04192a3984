/*
 * Context: O.  Maps and unmaps, and says what: mappings STEPS THREADS.  Each
 * thread keeps account of its own, page by page: whose mapping is there.
 */
#include "load.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>

#define PAGE		4096u
#define PAGES		64u	/* of a region, at the most */
#define REGIONS		40u
#define MAPPINGS	8192u

struct region {
	char *at;
	uint32_t owner[PAGES];	/* a mapping; 0: nothing is there */
};

struct account {
	pthread_t thread;
	uint64_t random;
	long steps;
	struct region region[REGIONS];
	uint32_t mappings, left[MAPPINGS];	/* pages of each */
	long total, live, peak, total_blocks, live_blocks, resized;
};

static uint32_t
below(struct account *a, uint32_t limit)
{
	a->random = a->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((a->random >> 33) % limit);
}

static void
gone(struct account *a, struct region *r, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (r->owner[i] == 0)
			continue;
		a->live -= PAGE;
		a->live_blocks -= --a->left[r->owner[i]] == 0;
		r->owner[i] = 0;
	}
}

static void
here(struct account *a, struct region *r, uint32_t from, uint32_t to)
{
	a->mappings++;
	for (uint32_t i = from; i < to; i++)
		r->owner[i] = a->mappings;
	a->left[a->mappings] = to - from;
	a->total += (long)(to - from) * PAGE;
	a->live += (long)(to - from) * PAGE;
	a->total_blocks++;
	a->live_blocks++;
	if (a->live > a->peak)
		a->peak = a->live;
}

/* The last page is asked for in part, which gives all of it. */
static void *
map(void *at, uint32_t pages, int how)
{
	void *p = mmap(at, pages * PAGE - pages % 7, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);

	LOAD_TRY(p == MAP_FAILED ? -1 : 0);
	return p;
}

/* Mapped pages one behind the other; *to is behind the last. */
static bool
find_run(struct account *a, const struct region *r, uint32_t *from,
    uint32_t *to)
{
	*from = below(a, PAGES);
	while (*from < PAGES && r->owner[*from] == 0)
		++*from;
	*to = *from;
	while (*to < PAGES && r->owner[*to] != 0 && below(a, 8) != 0)
		++*to;
	return *to > *from;
}

/* One mapping as it was made, from the first page on; its pages, or 0. */
static uint32_t
whole(const struct account *a, const struct region *r)
{
	uint32_t n = 0;

	while (n < PAGES && r->owner[n] != 0 && r->owner[n] == r->owner[0])
		n++;
	for (uint32_t i = n; i < PAGES; i++)
		if (r->owner[i] != 0)
			return 0;
	return n != 0 && a->left[r->owner[0]] == n ? n : 0;
}

static bool
is_free(const struct region *r)
{
	for (uint32_t i = 0; i < PAGES; i++)
		if (r->owner[i] != 0)
			return false;
	return true;
}

__attribute__((noinline)) static void
makes(struct account *a, struct region *r)
{
	const uint32_t pages = 1 + below(a, PAGES);

	r->at = map(NULL, pages, 0);
	here(a, r, 0, pages);
}

__attribute__((noinline)) static void
replaces(struct account *a, struct region *r)
{
	uint32_t from, to;

	if (!find_run(a, r, &from, &to))
		return;
	map(r->at + from * PAGE, to - from, MAP_FIXED);
	gone(a, r, from, to);
	here(a, r, from, to);
}

__attribute__((noinline)) static void
moves(struct account *a, struct region *r)
{
	const uint32_t before = whole(a, r), after = 1 + below(a, PAGES);
	void *p;

	if (before == 0)
		return;
	p = mremap(r->at, before * PAGE, after * PAGE, MREMAP_MAYMOVE);
	LOAD_TRY(p == MAP_FAILED ? -1 : 0);
	r->at = p;
	gone(a, r, 0, PAGES);
	here(a, r, 0, after);
	a->resized++;
}

static void
unmaps(struct account *a, struct region *r)
{
	uint32_t from, to;

	if (!find_run(a, r, &from, &to))
		return;
	LOAD_TRY(munmap(r->at + from * PAGE, (to - from) * PAGE));
	gone(a, r, from, to);
}

/* Nothing of this is done. */
static void
fails(const struct region *r)
{
	munmap(r->at + 1, PAGE);
	munmap(r->at, 0);
	munmap(r->at, (size_t)1 << 62);
	mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, -1, 0);
	mremap(r->at, PAGE, (size_t)1 << 62, MREMAP_MAYMOVE);
}

static void *
run(void *arg)
{
	struct account *a = arg;

	for (long i = 0; i < a->steps && a->mappings + 1 < MAPPINGS; i++) {
		struct region *r = &a->region[below(a, REGIONS)];

		if (is_free(r)) {
			makes(a, r);
			continue;
		}
		switch (below(a, 8)) {
		case 0:
			replaces(a, r);
			break;
		case 1:
			moves(a, r);
			break;
		case 2:
			fails(r);
			break;
		default:
			unmaps(a, r);
		}
	}
	return NULL;
}

/* The program's end goes up and down: as mappings in a row. */
__attribute__((noinline)) static void
grows(struct account *a, long more)
{
	const char *end = sbrk(0);

	LOAD_TRY(more % 2 == 0 ? brk((void *)(end + more)) :
	    sbrk(more) == (void *)-1 ? -1 : 0);
	a->total += more;
	a->live += more;
	a->total_blocks++;
	a->live_blocks++;
	if (a->live > a->peak)
		a->peak = a->live;
}

/* All of these pieces are there after a call that fails. */
__attribute__((noinline)) static void
keeps(struct account *a)
{
	struct region *r = &a->region[0];

	r->at = map(NULL, PAGES, 0);
	here(a, r, 0, PAGES);
	for (uint32_t i = 0; i < PAGES; i += 2) {
		map(r->at + i * PAGE, 1, MAP_FIXED);
		gone(a, r, i, i + 1);
		here(a, r, i, i + 1);
		LOAD_TRY(mprotect(r->at + i * PAGE, PAGE, PROT_READ));
	}
	LOAD_TRY(mremap(r->at, PAGES * PAGE, 2 * PAGES * PAGE,
	    MREMAP_MAYMOVE) == MAP_FAILED ? 0 : -1);
}

/* A page of huge ones is all of one.  Not touched, as there may be none. */
__attribute__((noinline)) static void
huge(struct account *a)
{
	const long bytes = PAGE / 8 * PAGE;
	void *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
	    MAP_HUGETLB | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return;
	a->total += bytes;
	a->live += bytes;
	a->total_blocks++;
	a->live_blocks++;
	if (a->live > a->peak)
		a->peak = a->live;
}

/* Below where it began the end does not go, whatever libc answers. */
static void
refused(void)
{
	const char *end = sbrk(0);

	brk((void *)1);
	sbrk((char *)PAGE - end);
	LOAD_TRY(sbrk(0) == end ? 0 : -1);
}

static void
add(struct account *to, const struct account *a)
{
	to->total += a->total;
	to->live += a->live;
	to->peak += a->peak;
	to->total_blocks += a->total_blocks;
	to->live_blocks += a->live_blocks;
	to->resized += a->resized;
}

int
main(int argc, char **argv)
{
	const long steps = argc > 2 ? atol(argv[1]) : 0;
	const long threads = argc > 2 ? atol(argv[2]) : 0;
	static struct account sum;
	struct account *all = calloc((size_t)threads + 1, sizeof(*all));

	if (all == NULL || threads < 1)
		return 2;
	for (long i = 0; i < threads; i++) {
		all[i].random = (uint64_t)i + 25;
		all[i].steps = steps;
		if (pthread_create(&all[i].thread, NULL, run, &all[i]) != 0)
			return 1;
	}
	for (long i = 0; i < threads; i++) {
		pthread_join(all[i].thread, NULL);
		add(&sum, &all[i]);
	}
	grows(&sum, 5000);
	grows(&sum, 3001);
	sbrk(-3001 - 2000);
	sum.live -= 3001 + 2000;
	sum.live_blocks--;
	refused();
	keeps(&sum);
	huge(&sum);
	printf("total_bytes %ld\ntotal_blocks %ld\nlive_bytes %ld\n"
	    "live_blocks %ld\nresized_blocks %ld\npeak_bytes %ld\n",
	    sum.total, sum.total_blocks, sum.live, sum.live_blocks,
	    sum.resized, sum.peak);
	return 0;
}
