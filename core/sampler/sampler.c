/*
 * Context: O.  Takes samples by the kernel, for tprof monitor, prof record and
 * tprof top: runs the thread that empties the ring buffers (read_all() and what
 * it calls), and delivers what was in them in the caller's thread; see
 * sampler.h.
 */
#include "sampler.h"

#include "base/compare.h"
#include "event_order.h"
#include "event/perf_open.h"
#include "process/perf_unwind.h"
#include "base/vector.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

/* tprof(4) hands out its buffers as often: hz / 8. */
#define READ_NS		125000000u

/*
 * Empties all ring buffers into a batch.  Returns false if the batch could not
 * be made.
 */
static bool
read_rings(struct sampler *s, bool last)
{
	struct perf_buffer_batch *b = perf_buffer_batch_new();
	const bool samples = !queue_is_full(&s->queue);

	if (b == NULL)
		return false;
	b->began = perf_buffer_now();
	b->last = last;
	for (size_t i = 0; i < s->buffer_count; i++)
		perf_buffer_drain(&s->buffers[i], b, samples);
	queue_put(&s->queue, b);
	return true;
}

/* Returns the milliseconds until the time `then`, at least 0. */
static int
milliseconds_until(uint64_t then)
{
	const uint64_t now = perf_buffer_now();

	return now >= then ? 0 : (int)((then - now) / 1000000) + 1;
}

/*
 * Removes ring buffers of processes that are gone from the poll, as they report
 * that forever.  Then only the time is waited for.
 */
static void
unwatch_hung_up(struct pollfd *p, size_t count)
{
	for (size_t i = 2; i < count; i++)
		if ((p[i].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
			p[i].fd = -1;
}

/* Returns whether sampling is to end: by sampler_stop(), or as `watch` says. */
static bool
is_over(struct sampler *s, const struct pollfd *p)
{
	return (p[0].revents & POLLIN) != 0 ||
	    ((p[1].revents & POLLIN) != 0 && s->set.watch(s->set.arg));
}

/*
 * Empties the ring buffers when the kernel says that one fills, and every
 * READ_NS, until sampling is to end; then switches the events off and makes the
 * last batch.  This is the reading thread; it never waits for the other one.
 */
static void *
read_all(void *arg)
{
	struct sampler *s = arg;
	const size_t count = s->buffer_count + 2;
	struct pollfd *p = s->polled;
	uint64_t then = perf_buffer_now() + READ_NS;
	bool over = false;

	for (size_t i = 0; i < count; i++)
		p[i] = (struct pollfd) {
			.fd = i == 0 ? s->stop_fd : i == 1 ? s->set.watch_fd :
			    s->buffers[i - 2].fd,
			.events = POLLIN,
		};
	while (!over) {
		bool filled = false;

		poll(p, count, milliseconds_until(then));
		over = is_over(s, p);
		for (size_t i = 2; i < count; i++)
			filled |= (p[i].revents & POLLIN) != 0;
		unwatch_hung_up(p, count);
		if (over || (!filled && milliseconds_until(then) != 0))
			continue;
		read_rings(s, false);
		then = perf_buffer_now() + READ_NS;
	}
	counters_switch(&s->counters, false);
	counters_switch(&s->trackers, false);
	while (!read_rings(s, true))
		usleep(10000);
	return NULL;
}

int
sampler_start(struct sampler *s, struct fault *f)
{
	int ret;

	s->polled = calloc(s->buffer_count + 2, sizeof(*s->polled));
	if (s->polled == NULL)
		return fault_set_no_memory(f);
	s->spaces.real = event_order_real_offset();
	if (s->set.pid < 0 || s->set.attached != NULL) {
		counters_switch(&s->trackers, true);
		counters_switch(&s->counters, true);
	}
	ret = pthread_create(&s->reader, NULL, read_all, s);
	s->reading = ret == 0;
	return ret == 0 ? 0 : fault_set(f, "no thread can be created",
	    FAULT_NO_OFFSET, ret);
}

void
sampler_stop(struct sampler *s)
{
	const uint64_t one = 1;

	while (write(s->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/*
 * Counts a batch.  The reading thread leaves its numbers in the batch, as the
 * statistics belong to the thread of sampler_next().
 */
static void
count_batch(struct sampler *s, const struct perf_buffer_batch *b)
{
	s->stats[TPROF_S_BUF] += b->filled;
	s->stats[TPROF_S_EMPTYBUF] += b->empty;
	s->stats[TPROF_S_DROPBUF] += b->dropped != 0;
	s->stats[TPROF_S_DROPBUF_SAMPLES] += b->dropped;
}

int
sampler_next(struct sampler *s, sampler_take *take, void *arg)
{
	struct perf_buffer_batch *b = queue_take(&s->queue);
	const bool last = b->last;
	int ret = event_order_hold(s, b);

	count_batch(s, b);
	if (ret == 0)
		ret = event_order_deliver(s, last ? UINT64_MAX : s->before,
		    take, arg);
	s->before = b->began;
	perf_buffer_batch_free(b);
	if (last) {
		pthread_join(s->reader, NULL);
		s->reading = false;
	}
	return ret != 0 ? ret : last ? 0 : 1;
}

/*
 * Returns how many ring entries found no room, as far as the kernel counts
 * that; 0 if it does not.
 */
static uint64_t
lost_of(const struct counters *c)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < c->count && c->lost; i++) {
		struct counter_value v;

		if (counter_read(c, &c->all[i], &v))
			lost += v.lost;
	}
	return lost;
}

/*
 * The kernel's own count, where it has one, is complete and replaces the count
 * from its ring entries.
 */
void
sampler_total(struct sampler *s)
{
	if (s->counters.lost)
		s->stats[TPROF_S_OVERFLOW] = lost_of(&s->counters);
	s->unplaced = lost_of(&s->trackers);
}

void
sampler_close(struct sampler *s)
{
	if (s->reading) {
		sampler_stop(s);
		pthread_join(s->reader, NULL);
	}
	for (size_t i = 0; i < s->buffer_count; i++)
		perf_buffer_unmap(&s->buffers[i]);
	counters_close(&s->counters);
	counters_close(&s->trackers);
	hash_index_free(&s->by_id);
	queue_free(&s->queue);
	address_spaces_free(&s->spaces);
	if (s->stop_fd >= 0)
		close(s->stop_fd);
	free(s->buffers);
	free(s->polled);
	free(s->cpus);
	free(s->entries);
	free(s->held);
	free(s->places);
	memset(s, 0, sizeof(*s));
	s->stop_fd = -1;
}
