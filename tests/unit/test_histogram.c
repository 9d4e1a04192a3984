/* Context: O.  Tests of core/hot/count/histogram.c and
 * core/runtime/classic/profil.c. */
#include "classic/profil.h"
#include "count/histogram.h"
#include "target.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOW 0x401000u
#define TICK PROFIL_PERIOD

static uint16_t cells[64];

static void
start(void)
{
	target_init();
	target_slot();
	memset(cells, 0, sizeof cells);
}

static void
end(void)
{
	histogram_install(HISTOGRAM_PROFIL, NULL);
	histogram_install(HISTOGRAM_SPROFIL, NULL);
	target_fini();
}

TestSuite(histogram, .init = start, .fini = end, .timeout = 60);

/* A page that can be written, and behind it one that cannot. */
static unsigned char *
page_at_an_edge(void)
{
	unsigned char *p = mmap(NULL, 2 * config.page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(p, MAP_FAILED);
	mprotect(p + config.page, config.page, PROT_NONE);
	return p;
}

/* However the time comes, a point a period, at no even distance. */
Test(histogram, points)
{
	uint64_t t, first = 0, second = 0, at, before = 0, gaps = 0;

	for (t = 1; t < 100 * TICK; t += TICK / 97) {
		at = histogram_count_points(t, TICK);
		cr_assert_geq(at, before);
		cr_assert_leq(at - before, 2);
		cr_assert_geq(at, t / TICK);
		cr_assert_leq(at, t / TICK + 1);
		if (at != before) {
			second = t - first;
			gaps += second < TICK * 9 / 10 ||
			    second > TICK * 11 / 10;
			first = t;
		}
		before = at;
	}
	cr_expect_gt(gaps, 50, "no loop keeps step: %lu", gaps);
	for (t = 0; t < 1000; t++)
		cr_expect_eq(histogram_count_points(t * TICK, TICK), t);
}

/* Which half of a loop's turn its points fall into, for loops of any length. */
Test(histogram, no_loop_keeps_step)
{
	const uint64_t n = 200;

	for (uint64_t turn = TICK / 10; turn < 3 * TICK; turn += turn / 300) {
		uint64_t first = 0, at = 0, before = 0, now, step = turn / 8;

		for (; before < n; before = now) {
			now = histogram_count_points(at + step, TICK);
			if (at / step % 8 < 4)
				first += now - before;
			at += step;
		}
		/* Six times what chance would make of it, which is sqrt(n). */
		cr_assert_lt(llabs((long long)(2 * first) - (long long)n), 85,
		    "turns of %lu: %lu of %lu", turn, first, n);
	}
}

Test(histogram, profil_counts_by_the_formula)
{
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 32768), 0);
	histogram_count(LOW, 3 * TICK);
	histogram_count(LOW + 4, 5 * TICK);
	histogram_count(LOW - 1, 7 * TICK);
	histogram_count(LOW + 4 * 63 + 3, TICK);
	histogram_count(LOW + 4 * 64, 9 * TICK);
	cr_expect_eq(cells[0], 3);
	cr_expect_eq(cells[1], 5);
	cr_expect_eq(cells[63], 1);
	for (unsigned i = 2; i < 63; i++)
		cr_expect_eq(cells[i], 0);
}

/* A coarse tick is less than one of profil's: none is lost in between. */
Test(histogram, parts_add_up)
{
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	for (unsigned i = 0; i < 2500; i++)
		histogram_count(LOW, TICK * 2 / 5);
	cr_expect_eq(cells[0], 1000);
}

/* Histograms that are on for parts of a period add up. */
Test(histogram, restarts_add_up)
{
	uint32_t wide[1] = {0};
	struct prof region = {wide, sizeof wide, LOW, 65536};

	for (unsigned i = 0; i < 1000; i++) {
		cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
		cr_assert_eq(profil_set_regions(&region, 1, NULL, PROF_UINT),
		    0);
		histogram_count(LOW, TICK / 5);
		cr_assert_eq(profil_set(NULL, 0, 0, 0), 0);
		histogram_count(LOW, TICK / 5);
		cr_assert_eq(profil_set_regions(NULL, 0, NULL, 0), 0);
		histogram_count(LOW, TICK / 5);
	}
	cr_expect_eq(cells[0], 200);
	cr_expect_eq(wide[0], 400 * (TICK / PROFIL_SHORT_PERIOD));
}

Test(histogram, off)
{
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 0), 0);
	histogram_count(LOW, TICK);
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	cr_assert_eq(profil_set(NULL, 0, 0, 65536), 0);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 0);
}

Test(histogram, another_buffer_takes_its_place)
{
	uint16_t others[4] = {0};

	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	cr_assert_eq(profil_set(others, sizeof others, LOW, 65536), 0);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 0);
	cr_expect_eq(others[0], 1);
}

/* As in libc, each two bytes of text have several counters then. */
Test(histogram, scale_above_one)
{
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 2 * 65536), 0);
	histogram_count(LOW + 2, TICK);
	cr_expect_eq(cells[2], 1);
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536 + 32768), 0);
	histogram_count(LOW + 4, TICK);
	cr_expect_eq(cells[3], 1);
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, UINT_MAX), 0);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 1);
	histogram_count(LOW + 2, TICK);
	cr_expect_eq(cells[0], 1, "65535 counters further on");
}

Test(histogram, errors)
{
	unsigned char *p = page_at_an_edge();
	void *edge = p + config.page - 2;

	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 1);
	cr_expect_eq(profil_set(edge, 2, LOW, 65536), 0);
	cr_expect_eq(profil_set(edge, 3, LOW, 65536), 0, "one counter");
	cr_expect_eq(profil_set(edge, 4, LOW, 65536), -EFAULT);
	histogram_count(LOW, TICK);
	cr_expect_eq(p[config.page - 2], 0, "profiling is terminated");
	mprotect(p, config.page, PROT_READ);
	cr_expect_eq(profil_set((void *)p, 2, LOW, 65536), -EFAULT);
	cr_expect_eq(profil_set((void *)p, (size_t)-1, LOW, 65536), -EFAULT);
	cr_expect_eq(profil_set((void *)p, 0, LOW, 65536), 0, "nothing of it");
}

/* Both ends of a counter at an odd address, and of a page. */
Test(histogram, odd_addresses)
{
	unsigned char *p = page_at_an_edge();
	unsigned short *odd = (void *)(p + config.page - 7);

	cr_assert_eq(profil_set(odd, 7, LOW, 65536), 0);
	histogram_count(LOW, 258 * TICK);
	histogram_count(LOW + 4, TICK);
	histogram_count(LOW + 6, TICK);
	cr_expect_eq(p[config.page - 7] | p[config.page - 6] << 8, 258);
	cr_expect_eq(p[config.page - 3] | p[config.page - 2] << 8, 1);
	cr_expect_eq(p[config.page - 1], 0, "half a counter is none");
}

Test(histogram, saturates)
{
	struct prof region = {cells, sizeof cells, LOW, 65536};
	uint32_t wide[2] = {UINT32_MAX - 1, 7};

	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	histogram_count(LOW, 65530ull * TICK);
	histogram_count(LOW, 10ull * TICK);
	cr_expect_eq(cells[0], 65535);
	cr_expect_eq(cells[1], 0);
	cr_expect_eq(target_loss(LOSS_HISTOGRAM_FULL), 5);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 65535);
	cr_expect_eq(target_loss(LOSS_HISTOGRAM_FULL), 6);
	profil_set(NULL, 0, 0, 0);
	region.pr_base = wide;
	region.pr_size = sizeof wide;
	cr_assert_eq(profil_set_regions(&region, 1, NULL, PROF_UINT), 0);
	histogram_count(LOW, 3ull * PROFIL_SHORT_PERIOD);
	cr_expect_eq(wide[0], UINT32_MAX);
	cr_expect_eq(wide[1], 7);
	cr_expect_eq(target_loss(LOSS_HISTOGRAM_FULL), 8);
}

/* The program unmapped it: a store would kill. */
Test(histogram, a_buffer_that_is_gone)
{
	unsigned char *p = page_at_an_edge();

	cr_assert_eq(profil_set((void *)p, config.page, LOW, 65536), 0);
	histogram_count(LOW, TICK);
	munmap(p, config.page);
	histogram_count(LOW, 4 * TICK);
	histogram_count(LOW, TICK);
	cr_expect_eq(target_loss(LOSS_HISTOGRAM_GONE), 5);
}

Test(histogram, regions)
{
	uint64_t low[8] = {0}, inner[2] = {0}, high[4] = {0}, rest[1] = {0};
	struct prof region[] = {
		{high, sizeof high, LOW + 0x1000, 65536},
		{rest, sizeof rest, 0, 2},
		{low, sizeof low, LOW, 65536},
		{cells, sizeof cells, LOW, 1},
		{inner, sizeof inner, LOW + 16, 65536},
	};
	struct timeval period;
	uint64_t ns;

	cr_assert_eq(profil_set_regions(region, 5, &period, 4), 0);
	ns = (uint64_t)period.tv_usec * 1000;
	cr_expect_eq(period.tv_sec, 0);
	cr_expect_eq(ns, PROFIL_SHORT_PERIOD);
	histogram_count(LOW + 8, ns);
	histogram_count(LOW + 16, 2 * ns);
	histogram_count(LOW + 32, 3 * ns);
	histogram_count(LOW + 0x1000 + 24, 4 * ns);
	histogram_count(LOW + 0x1000 + 32, 5 * ns);
	histogram_count(1, 6 * ns);
	cr_expect_eq(low[1], 1);
	cr_expect_eq(low[2], 0);
	cr_expect_eq(inner[0], 2, "the one that begins higher");
	cr_expect_eq(low[4], 3, "behind its end the one around it");
	cr_expect_eq(high[3], 4);
	cr_expect_eq(rest[0], 11, "in none of them");
	cr_expect_eq(cells[0], 0, "a scale below 2 is off");
	cr_assert_eq(profil_set_regions(region, 1, &period, 0), 0);
	cr_expect_eq(period.tv_usec, PROFIL_PERIOD / 1000);
	histogram_count(LOW + 8, PROFIL_PERIOD);
	cr_expect_eq(low[1], 1, "replaced");
	cr_assert_eq(profil_set_regions(NULL, 0, NULL, 0), 0);
	histogram_count(LOW + 0x1000, PROFIL_PERIOD);
	cr_expect_eq(high[0], 0);
}

Test(histogram, region_errors)
{
	unsigned char *p = page_at_an_edge();
	struct prof region[] = {
		{cells, sizeof cells, LOW, 65536},
		{p, config.page + 1, LOW, 65536},
	};

	cr_expect_eq(profil_set_regions(region, 2, NULL, 0), -EFAULT);
	cr_expect_eq(profil_set_regions(region, 1, NULL, 8), -EINVAL);
	histogram_count(LOW, TICK);
	cr_expect_eq(cells[0], 0);
}

/* Each has its own, and both see a tick. */
Test(histogram, profil_beside_sprofil)
{
	uint16_t others[4] = {0};
	struct prof region = {others, sizeof others, LOW, 65536};

	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	cr_assert_eq(profil_set_regions(&region, 1, NULL, 0), 0);
	histogram_count(LOW, 2 * TICK);
	cr_expect_eq(cells[0], 2);
	cr_expect_eq(others[0], 2);
}

static _Atomic bool over;

static void *
count_on(void *unused)
{
	while (!atomic_load(&over))
		histogram_count(LOW, TICK);
	return unused;
}

/* No tick is in a buffer when the call that takes it away returns. */
Test(histogram, taken_away_while_it_counts)
{
	pthread_t thread[2];
	uint16_t *buffer;

	for (unsigned i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, count_on, NULL);
	for (unsigned i = 0; i < 2000; i++) {
		buffer = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		cr_assert_eq(profil_set(buffer, 4096, LOW, 65536), 0);
		if (i % 16 == 0)
			sched_yield();
		cr_assert_eq(profil_set(NULL, 0, 0, 0), 0);
		munmap(buffer, 4096);
	}
	atomic_store(&over, true);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	cr_expect_eq(target_loss(LOSS_HISTOGRAM_GONE), 0);
}

/* A fork child counts on, in its own copy. */
static int
count_in_child(void)
{
	histogram_count(LOW, 5 * TICK);
	return cells[0] == 8 ? 0 : __LINE__;
}

Test(histogram, fork)
{
	cr_assert_eq(profil_set(cells, sizeof cells, LOW, 65536), 0);
	histogram_count(LOW, 3 * TICK);
	cr_expect_eq(target_child(count_in_child), 0);
	cr_expect_eq(cells[0], 3);
}
