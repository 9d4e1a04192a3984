/*
 * Context: S.  What a perf event left in its ring since the last look.
 *
 * The ring is mapped read-only: the kernel overwrites the oldest records and
 * never waits for us.  Other records than samples (throttling) are stepped
 * over.
 */
#include "ring.h"

#include "region.h"

#include <linux/perf_event.h>

static const struct perf_event_mmap_page *
page_of(const struct ring *r)
{
	return atomic_load_explicit(&r->map, memory_order_relaxed);
}

static uint64_t
data_bytes(const struct ring *r)
{
	return r->bytes - config.page;
}

static uint64_t
head_of(const struct ring *r)
{
	return __atomic_load_n(&page_of(r)->data_head, __ATOMIC_ACQUIRE);
}

uint64_t
ring_word(const struct ring *r, uint64_t at, unsigned i)
{
	const unsigned char *data = (const unsigned char *)page_of(r) +
	    config.page;
	uint64_t offset = at + 8 * (uint64_t)i;

	return __atomic_load_n((const uint64_t *)(data +
	    (offset & (data_bytes(r) - 1))), __ATOMIC_RELAXED);
}

bool
ring_holds(const struct ring *r, uint64_t at)
{
	atomic_thread_fence(memory_order_acquire);
	return head_of(r) - at <= data_bytes(r);
}

struct drain {
	uintptr_t now;
	enum loss lost;
	ring_visit *visit;
	void *arg;
};

static void
visit_lost(const struct ring *r, uint64_t bytes, const struct drain *d)
{
	uint64_t n = bytes / (8 * r->words);

	if (n == 0)
		n = 1;
	loss_count(d->lost, n - 1);
	d->visit(NULL, 0, d->now, n, d->arg);
}

static void
visit_records(const struct ring *r, uint64_t head, const struct drain *d)
{
	uint64_t at, size;

	for (at = r->tail; at < head; at += size) {
		uint64_t header = ring_word(r, at, 0);
		uintptr_t pc = ring_word(r, at, 1);

		if (!ring_holds(r, at)) {
			visit_lost(r, head - at, d);
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
ring_drain(struct ring *r, uintptr_t now, enum loss lost, ring_visit *visit,
    void *arg)
{
	const struct drain d = {now, lost, visit, arg};
	uint64_t head;

	if (page_of(r) == NULL)
		return;
	if (data_bytes(r) == 0) {
		visit(NULL, 0, now, 1, arg);
		return;
	}
	head = head_of(r);
	if (head - r->tail > data_bytes(r))
		visit_lost(r, head - r->tail, &d);
	else
		visit_records(r, head, &d);
	r->tail = head;
}

uint64_t
ring_left(const struct ring *r)
{
	return page_of(r) == NULL || data_bytes(r) == 0 ? 0 :
	    (head_of(r) - r->tail) / (8 * r->words);
}

bool
ring_map(struct ring *r, int fd, unsigned pages, unsigned words)
{
	void *map;

	r->words = words;
	r->bytes = (1 + pages) * config.page;
	r->tail = 0;
	map = region_map(r->bytes, PROT_READ, MAP_SHARED, fd);
	atomic_store(&r->map, map);
	return map != NULL;
}

void
ring_unmap(struct ring *r)
{
	void *map = atomic_exchange(&r->map, NULL);

	if (map != NULL)
		region_unmap(map, r->bytes);
}
