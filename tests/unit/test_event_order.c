/*
 * Context: O.  Tests of core/sampler/event_order.c: the order of records, and
 * threads that two counters sample.
 */
#include "event_order.h"

#include <criterion/criterion.h>
#include <string.h>

#define IDS	3u	/* counters, with the ids 1 to 3, of tasks 0 to 2 */

/* A record of a sample, as the kernel lays it out. */
struct record_sample {
	struct perf_event_header head;
	uint64_t id, ip;
	int32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
	uint64_t period;
};

static struct sampler sampler;
static struct attached attached;
static struct record_sample records[16];
static struct perf_buffer_batch batch = { .bytes = (unsigned char *)records };
/* times of the samples that were delivered */
static uint64_t times[16];
static size_t delivered;

static void
set_up(void)
{
	static struct counter counters[IDS];

	sampler.form.sample_type = PERF_RECORD_SAMPLE_TYPE;
	sampler.counters.all = counters;
	sampler.counters.count = IDS;
	for (uint32_t i = 0; i < IDS; i++) {
		counters[i] = (struct counter) { .id = i + 1, .task = i };
		hash_index_add(&sampler.by_id, hash_index_hash(i + 1), i);
	}
}

static void
add_sample(uint64_t id, int32_t tid, uint64_t time)
{
	records[batch.used / sizeof(records[0])] = (struct record_sample) {
		.head = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		    sizeof(records[0]) },
		.id = id, .ip = 0x1000, .pid = 0, .tid = tid, .time = time,
		.period = 1000,
	};
	batch.used += sizeof(records[0]);
}

static int
take_sample(void *arg, const struct sampler_seen *seen)
{
	(void)arg;
	times[delivered++] = seen->time;
	return 0;
}

static void
deliver_all(void)
{
	cr_assert_eq(event_order_hold(&sampler, &batch), 0);
	cr_assert_eq(event_order_deliver(&sampler, UINT64_MAX, take_sample,
	    NULL), 0);
}

Test(event_order, delivers_in_the_order_of_time, .init = set_up)
{
	add_sample(1, 5, 30);
	add_sample(1, 5, 10);
	add_sample(2, 6, 20);
	deliver_all();
	cr_assert_eq(delivered, 3);
	for (size_t i = 0; i < 3; i++)
		cr_expect_eq(times[i], 10 * (i + 1));
	cr_expect_eq(sampler.stats[TPROF_S_SAMPLE], 3);
}

/* Thread 6 has its own counter, 2, and inherited that of thread 5, 1. */
Test(event_order, leaves_out_samples_of_a_second_counter, .init = set_up)
{
	sampler.set.attached = &attached;
	add_sample(1, 5, 10);
	add_sample(1, 6, 20);
	add_sample(2, 6, 21);
	add_sample(1, 6, 30);
	add_sample(2, 6, 31);
	add_sample(3, 7, 40);
	deliver_all();
	cr_assert_eq(delivered, 4);
	cr_expect_eq(times[0], 10);
	cr_expect_eq(times[1], 20);
	cr_expect_eq(times[2], 30);
	cr_expect_eq(times[3], 40);
	cr_expect_eq(sampler.doubled, 2);
	cr_expect_eq(sampler.stats[TPROF_S_SAMPLE], 4);
}

Test(event_order, keeps_all_events_of_a_command, .init = set_up)
{
	add_sample(1, 6, 20);
	add_sample(2, 6, 21);
	deliver_all();
	cr_expect_eq(delivered, 2);
	cr_expect_eq(sampler.doubled, 0);
}

Test(event_order, counts_samples_of_no_counter_as_strange, .init = set_up)
{
	add_sample(9, 6, 20);
	deliver_all();
	cr_expect_eq(delivered, 0);
	cr_expect_eq(sampler.strange, 1);
}

Test(event_order, counts_what_a_batch_says, .init = set_up)
{
	struct perf_buffer_batch *b = perf_buffer_batch_new();

	cr_assert_not_null(b);
	b->filled = 2;
	b->empty = 1;
	b->dropped = 7;
	queue_init(&sampler.queue);
	queue_put(&sampler.queue, b);
	b = perf_buffer_batch_new();
	cr_assert_not_null(b);
	b->filled = 1;
	queue_put(&sampler.queue, b);
	for (unsigned i = 0; i < 2; i++)
		cr_expect_eq(sampler_next(&sampler, take_sample, NULL), 1);
	cr_expect_eq(sampler.stats[TPROF_S_BUF], 3);
	cr_expect_eq(sampler.stats[TPROF_S_EMPTYBUF], 1);
	cr_expect_eq(sampler.stats[TPROF_S_DROPBUF], 1);
	cr_expect_eq(sampler.stats[TPROF_S_DROPBUF_SAMPLES], 7);
}
