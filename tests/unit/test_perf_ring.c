/*
 * Context: O. Tests of core/hot/clock/perf_ring.c, on a ring that no kernel
 * writes.
 */
#include "clock/perf_ring.h"
#include "target.h"

#include <criterion/criterion.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#define DATA 4096u

/* The kernel's side: the same pages, writable. */
static struct {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	int fd;
} kernel;

static struct perf_ring ring;
static uint64_t visits, observations, sum;

static void
start(void)
{
	target_init();
	kernel.fd = memfd_create("ring", 0);
	cr_assert_eq(ftruncate(kernel.fd, 4096 + DATA), 0);
	kernel.page = mmap(NULL, 4096 + DATA, PROT_READ | PROT_WRITE,
	    MAP_SHARED, kernel.fd, 0);
	kernel.data = (unsigned char *)kernel.page + 4096;
	cr_assert(perf_ring_map(&ring, kernel.fd, 1, PERF_RING_SAMPLE_WORDS));
}

static void
put(uint64_t word)
{
	uint64_t *at = (uint64_t *)(kernel.data + kernel.page->data_head %
	    DATA);

	*at = word;
	kernel.page->data_head += 8;
}

static void
put_header(uint32_t type, uint16_t bytes)
{
	put((uint64_t)bytes << 48 | type);
}

static void
tprof_writer_sample(uint64_t pc)
{
	put_header(PERF_RECORD_SAMPLE, 16);
	put(pc);
}

/* time, id, stream id */
static void
put_throttle(void)
{
	put_header(PERF_RECORD_THROTTLE, 32);
	for (unsigned i = 0; i < 3; i++)
		put(0x5555555555555555);
}

static void
take(const struct perf_ring *record, uint64_t at, uintptr_t pc, uint64_t n,
    void *arg)
{
	if (record != NULL) {
		cr_expect_eq(perf_ring_word(record, at, 1), pc);
		cr_expect(perf_ring_is_intact(record, at));
	}
	cr_assert_eq(arg, &ring);
	visits++;
	observations += n;
	sum += pc;
}

static void
drain(uint64_t want_visits, uint64_t want_observations, uint64_t want_sum)
{
	visits = observations = sum = 0;
	perf_ring_drain(&ring, 0xabc, LOSS_RING, take, &ring);
	cr_expect_eq(visits, want_visits, "%ju visits", (uintmax_t)visits);
	cr_expect_eq(observations, want_observations, "%ju observations",
	    (uintmax_t)observations);
	cr_expect_eq(sum, want_sum, "sum %ju", (uintmax_t)sum);
}

TestSuite(perf_ring, .init = start, .fini = target_fini);

Test(perf_ring, each_record_once)
{
	drain(0, 0, 0);
	for (uint64_t pc = 1; pc <= 10; pc++)
		tprof_writer_sample(pc);
	drain(10, 10, 55);
	drain(0, 0, 0);
	tprof_writer_sample(7);
	drain(1, 1, 7);
	cr_expect_eq(target_loss(LOSS_RING), 0);
}

/* Whatever lies before them, records of 16 and 32 bytes go on over the end. */
Test(perf_ring, around_the_end)
{
	for (unsigned turn = 0; turn < 1000; turn++) {
		tprof_writer_sample(turn);
		if (turn % 3 == 0)
			put_throttle();
		tprof_writer_sample(1000000);
		drain(2, 2, 1000000 + turn);
	}
	cr_expect_gt(kernel.page->data_head, 10 * DATA);
	cr_expect_eq(target_loss(LOSS_RING), 0);
}

/* The kernel has written over what was just read. */
static void
take_while_it_writes(const struct perf_ring *record, uint64_t at, uintptr_t pc,
    uint64_t n, void *arg)
{
	take(record, at, pc, n, arg);
	if (visits == 1) {
		kernel.page->data_head += DATA;
		cr_expect_not(perf_ring_is_intact(record, at));
		kernel.page->data_head -= 16;
	}
}

Test(perf_ring, overwritten_while_it_is_read)
{
	for (unsigned i = 0; i < 5; i++)
		tprof_writer_sample(1);
	visits = observations = sum = 0;
	/* The first is whole when read, the second is not there any more. */
	perf_ring_drain(&ring, 0xabc, LOSS_RING, take_while_it_writes, &ring);
	cr_expect_eq(visits, 2);
	cr_expect_eq(observations, 5);
	cr_expect_eq(sum, 1 + 0xabc);
	cr_expect_eq(target_loss(LOSS_RING), 3);
}

/* A record of 24 bytes makes the next straddle the end: pc at the front. */
Test(perf_ring, a_record_over_the_end)
{
	put_header(PERF_RECORD_LOST, 24);
	put(0);
	put(0);
	for (unsigned i = 0; i < (DATA - 24) / 16; i++)
		tprof_writer_sample(1);
	drain((DATA - 24) / 16, (DATA - 24) / 16, (DATA - 24) / 16);
	tprof_writer_sample(42);
	cr_assert_eq(kernel.page->data_head % DATA, 8);
	drain(1, 1, 42);
}

Test(perf_ring, throttling_is_stepped_over)
{
	put_throttle();
	drain(0, 0, 0);
	tprof_writer_sample(1);
	put_throttle();
	put_throttle();
	tprof_writer_sample(2);
	drain(2, 2, 3);
}

Test(perf_ring, full_but_not_overrun)
{
	for (unsigned i = 0; i < DATA / 16; i++)
		tprof_writer_sample(2);
	drain(DATA / 16, DATA / 16, DATA / 8);
	cr_expect_eq(target_loss(LOSS_RING), 0);
}

/* None is lost from the sum: all stand for where the tick is now. */
Test(perf_ring, overrun)
{
	unsigned n = DATA / 16 + 1;

	for (unsigned i = 0; i < n; i++)
		tprof_writer_sample(2);
	drain(1, n, 0xabc);
	cr_expect_eq(target_loss(LOSS_RING), n - 1);
	tprof_writer_sample(9);
	drain(1, 1, 9);
	cr_expect_eq(target_loss(LOSS_RING), n - 1);
}

Test(perf_ring, a_record_that_cannot_be)
{
	tprof_writer_sample(1);
	put_header(PERF_RECORD_SAMPLE, 0);
	put(0);
	drain(1, 1, 1);
	tprof_writer_sample(5);
	drain(1, 1, 5);
	put_header(PERF_RECORD_SAMPLE, 12);
	put(0);
	drain(0, 0, 0);
}

Test(perf_ring, without_a_data_page)
{
	struct perf_ring bare;

	memset(&bare, 0, sizeof bare);
	cr_assert(perf_ring_map(&bare, kernel.fd, 0, PERF_RING_SAMPLE_WORDS));
	visits = observations = sum = 0;
	perf_ring_drain(&bare, 0xabc, LOSS_RING, take, &ring);
	cr_expect_eq(visits, 1);
	cr_expect_eq(observations, 1);
	cr_expect_eq(sum, 0xabc);
	perf_ring_unmap(&bare);
}

Test(perf_ring, unmapped)
{
	const void *map = atomic_load(&ring.map);
	unsigned char there;

	tprof_writer_sample(1);
	perf_ring_unmap(&ring);
	drain(0, 0, 0);
	cr_expect_null(atomic_load(&ring.map));
	cr_expect_neq(mincore((void *)map, 8192, &there), 0);
	perf_ring_unmap(&ring);
	cr_expect_not(perf_ring_map(&ring, -1, 1, PERF_RING_SAMPLE_WORDS));
	drain(0, 0, 0);
}
