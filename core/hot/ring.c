/*
 * Context: S.  What a perf event left in its ring since the last look.
 *
 * The ring is mapped read-only: the kernel overwrites the oldest records and never
 * waits for us.  A record is a header and the pc, 16 bytes; others (throttling) are
 * stepped over.
 */
#include "ring.h"

#include <linux/perf_event.h>

#define SAMPLE_BYTES	16u

static uint64_t
word_at(const struct slot *s, const void *ring, uint64_t offset)
{
	const unsigned char *data = (const unsigned char *)ring + config.page;

	return __atomic_load_n((const uint64_t *)(data +
	    (offset & (s->ring_bytes - config.page - 1))), __ATOMIC_RELAXED);
}

void
ring_drain(struct slot *s, uintptr_t now, ring_visit *visit, void *arg)
{
	const struct perf_event_mmap_page *ring = atomic_load(&s->ring);
	uint64_t data = s->ring_bytes - config.page;
	uint64_t head, tail = s->ring_tail, at;

	if (ring == NULL || data == 0) {
		visit(now, 1, arg);
		return;
	}
	head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	s->ring_tail = head;
	if (head - tail == SAMPLE_BYTES) {	/* the rule: one, and here */
		visit(now, 1, arg);
		return;
	}
	if (head - tail > data) {
		uint64_t n = (head - tail) / SAMPLE_BYTES;

		loss_count(LOSS_RING, n - 1);
		visit(now, n, arg);
		return;
	}
	for (at = tail; at < head;) {
		uint64_t header = word_at(s, ring, at);
		uint64_t size = header >> 48;

		if (size < 8 || size % 8 != 0)
			break;
		if ((uint32_t)header == PERF_RECORD_SAMPLE)
			visit(word_at(s, ring, at + 8), 1, arg);
		at += size;
	}
}
