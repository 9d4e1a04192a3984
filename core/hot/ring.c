/*
 * Context: S.  What a perf event left in its ring since the last look.
 *
 * The ring is mapped read-only: the kernel overwrites the oldest records and
 * never waits for us.  A record is a header and the pc, 16 bytes; others
 * (throttling) are stepped over.
 */
#include "ring.h"

#include <linux/perf_event.h>

#define SAMPLE_BYTES	16u

static uint64_t
word_at(const struct ring *r, const void *map, uint64_t offset)
{
	const unsigned char *data = (const unsigned char *)map + config.page;

	return __atomic_load_n((const uint64_t *)(data +
	    (offset & (r->bytes - config.page - 1))), __ATOMIC_RELAXED);
}

static void
visit_records(struct ring *r, const void *map, uint64_t head,
    ring_visit *visit, void *arg)
{
	uint64_t at, size;

	for (at = r->tail; at < head; at += size) {
		uint64_t header = word_at(r, map, at);

		size = header >> 48;
		if (size < 8 || size % 8 != 0)
			break;
		if ((uint32_t)header == PERF_RECORD_SAMPLE)
			visit(word_at(r, map, at + 8), 1, arg);
	}
}

void
ring_drain(struct ring *r, uintptr_t now, enum loss lost, ring_visit *visit,
    void *arg)
{
	const struct perf_event_mmap_page *map = atomic_load(&r->map);
	uint64_t data = r->bytes - config.page;
	uint64_t head, n;

	if (map == NULL)
		return;
	if (data == 0) {
		visit(now, 1, arg);
		return;
	}
	head = __atomic_load_n(&map->data_head, __ATOMIC_ACQUIRE);
	if (head - r->tail > data) {
		n = (head - r->tail) / SAMPLE_BYTES;
		loss_count(lost, n - 1);
		visit(now, n, arg);
	} else {
		visit_records(r, map, head, visit, arg);
	}
	r->tail = head;
}

uint64_t
ring_left(const struct ring *r)
{
	const struct perf_event_mmap_page *map = atomic_load(&r->map);

	return map == NULL || r->bytes == config.page ? 0 :
	    (__atomic_load_n(&map->data_head, __ATOMIC_ACQUIRE) - r->tail) /
	    SAMPLE_BYTES;
}

bool
ring_map(struct ring *r, int fd, unsigned pages)
{
	void *map;

	r->bytes = (1 + pages) * config.page;
	r->tail = 0;
	map = sys_mmap(NULL, r->bytes, PROT_READ, MAP_SHARED, fd, 0);
	atomic_store(&r->map, map);
	return map != NULL;
}

void
ring_unmap(struct ring *r)
{
	void *map = atomic_exchange(&r->map, NULL);

	if (map != NULL)
		sys_munmap(map, r->bytes);
}
