/*
 * Context: S.  Maps the ring of a perf event, and reads the ring entries that
 * came since the last reading, for perf_event.c, perf_clock.c and
 * kernel_samples.c.
 *
 * The ring is mapped read-only: the kernel overwrites the oldest entries and
 * never waits for us.  Entries other than samples (of throttling) are skipped.
 */
#include "clock/perf_ring.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"

#include <linux/perf_event.h>

static const struct perf_event_mmap_page *
ring_control_page(const struct perf_ring *r)
{
	return atomic_load_explicit(&r->map, memory_order_relaxed);
}

static uint64_t
ring_data_bytes(const struct perf_ring *r)
{
	return r->bytes - config.page;
}

static uint64_t
ring_data_head(const struct perf_ring *r)
{
	return __atomic_load_n(&ring_control_page(r)->data_head,
	    __ATOMIC_ACQUIRE);
}

uint64_t
perf_ring_word(const struct perf_ring *r, uint64_t at, unsigned i)
{
	const unsigned char *data =
	    (const unsigned char *)ring_control_page(r) + config.page;
	uint64_t offset = at + 8 * (uint64_t)i;

	return __atomic_load_n((const uint64_t *)(data +
	    (offset & (ring_data_bytes(r) - 1))), __ATOMIC_RELAXED);
}

bool
perf_ring_is_intact(const struct perf_ring *r, uint64_t at)
{
	atomic_thread_fence(memory_order_acquire);
	return ring_data_head(r) - at <= ring_data_bytes(r);
}

/* The arguments of perf_ring_drain(). */
struct drain {
	uintptr_t now;
	enum loss lost;
	perf_ring_visit *visit;
	void *arg;
};

/* Visits `bytes` bytes of overwritten entries as samples at d->now. */
static void
visit_lost_records(const struct perf_ring *r, uint64_t bytes,
    const struct drain *d)
{
	uint64_t n = bytes / (8 * r->words);

	if (n == 0)
		n = 1;
	loss_count(d->lost, n - 1);
	d->visit(NULL, 0, d->now, n, d->arg);
}

/*
 * Visits the ring entries up to `head`.  The kernel may overwrite them
 * meanwhile: what is left then is visited as lost.
 */
static void
visit_ring_records(const struct perf_ring *r, uint64_t head,
    const struct drain *d)
{
	uint64_t size;

	for (uint64_t at = r->tail; at < head; at += size) {
		uint64_t header = perf_ring_word(r, at, 0);
		uintptr_t pc = perf_ring_word(r, at, 1);

		if (!perf_ring_is_intact(r, at)) {
			visit_lost_records(r, head - at, d);
			break;
		}
		size = header >> 48;
		if (size < 8 || size % 8 != 0)
			break;
		if ((uint32_t)header == PERF_RECORD_SAMPLE)
			d->visit(r, at, pc, 1, d->arg);
	}
}

void
perf_ring_drain(struct perf_ring *r, uintptr_t now, enum loss lost,
    perf_ring_visit *visit, void *arg)
{
	const struct drain d = {now, lost, visit, arg};
	uint64_t head;

	if (ring_control_page(r) == NULL)
		return;
	if (ring_data_bytes(r) == 0) {
		visit(NULL, 0, now, 1, arg);
		return;
	}
	head = ring_data_head(r);
	if (head - r->tail > ring_data_bytes(r))
		visit_lost_records(r, head - r->tail, &d);
	else
		visit_ring_records(r, head, &d);
	r->tail = head;
}

uint64_t
perf_ring_unread(const struct perf_ring *r)
{
	return ring_control_page(r) == NULL || ring_data_bytes(r) == 0 ? 0 :
	    (ring_data_head(r) - r->tail) / (8 * r->words);
}

bool
perf_ring_map(struct perf_ring *r, int fd, unsigned pages, unsigned words)
{
	void *map;

	r->words = words;
	r->bytes = (1 + pages) * config.page;
	r->tail = 0;
	map = mmap_area_map(r->bytes, PROT_READ, MAP_SHARED, fd);
	atomic_store(&r->map, map);
	return map != NULL;
}

void
perf_ring_unmap(struct perf_ring *r)
{
	void *map = atomic_exchange(&r->map, NULL);

	if (map != NULL)
		mmap_area_unmap(map, r->bytes);
}
