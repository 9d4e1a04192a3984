/*
 * Context: O.  Reads a ring buffer of the kernel, for the reading thread of
 * sampler.c; see perf_buffer.h.
 */
#include "ring/perf_buffer.h"

#include "base/clock_ns.h"
#include "ring/perf_record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

uint64_t
perf_buffer_now(void)
{
	return clock_ns_now(CLOCK_MONOTONIC);
}

int
perf_buffer_map(struct perf_buffer *b, int fd, unsigned cpu, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*b = (struct perf_buffer) { .fd = fd, .cpu = cpu, .bytes = bytes };
	b->mapping = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	return b->mapping == MAP_FAILED ? -errno : 0;
}

void
perf_buffer_unmap(struct perf_buffer *b)
{
	if (b->mapping != NULL && b->mapping != MAP_FAILED)
		munmap(b->mapping, (size_t)sysconf(_SC_PAGESIZE) + b->bytes);
	b->mapping = NULL;
}

struct perf_buffer_batch *
perf_buffer_batch_new(void)
{
	return calloc(1, sizeof(struct perf_buffer_batch));
}

void
perf_buffer_batch_free(struct perf_buffer_batch *b)
{
	if (b != NULL)
		free(b->bytes);
	free(b);
}

/* Makes room for `more` bytes in a batch.  Returns false without memory. */
static bool
make_room(struct perf_buffer_batch *to, size_t more)
{
	size_t want = to->room == 0 ? 65536 : to->room;
	unsigned char *bytes;

	while (want - to->used < more)
		want *= 2;
	if (want == to->room)
		return true;
	bytes = realloc(to->bytes, want);
	if (bytes == NULL)
		return false;
	to->bytes = bytes;
	to->room = want;
	return true;
}

/*
 * Removes samples and moves the other ring entries together.  Adds the number
 * of samples to *left.  Returns the size of what stays.
 */
static size_t
without_samples(unsigned char *bytes, size_t size, uint64_t *left)
{
	size_t at = 0, kept = 0, own;

	while ((own = perf_record_size(bytes + at, size - at)) != 0) {
		struct perf_event_header h;

		memcpy(&h, bytes + at, sizeof(h));
		if (h.type == PERF_RECORD_SAMPLE) {
			++*left;
		} else {
			memmove(bytes + kept, bytes + at, own);
			kept += own;
		}
		at += own;
	}
	return kept;
}

void
perf_buffer_drain(struct perf_buffer *b, struct perf_buffer_batch *to,
    bool samples)
{
	struct perf_event_mmap_page *head = b->mapping;
	const unsigned char *data = (unsigned char *)b->mapping +
	    sysconf(_SC_PAGESIZE);
	/*
	 * Pairs with the barrier of the kernel between the write of a ring
	 * entry and that of data_head.
	 */
	const uint64_t end = __atomic_load_n(&head->data_head,
	    __ATOMIC_ACQUIRE);
	const uint64_t begin = head->data_tail;
	const size_t size = (size_t)(end - begin);
	const size_t at = (size_t)(begin & (b->bytes - 1));
	const size_t first = size < b->bytes - at ? size : b->bytes - at;

	if (size == 0 || size > b->bytes || !make_room(to, size)) {
		to->empty++;
		return;
	}
	memcpy(to->bytes + to->used, data + at, first);
	memcpy(to->bytes + to->used + first, data, size - first);
	/* The kernel may reuse the room once it sees this. */
	__atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);
	to->used += samples ? size : without_samples(to->bytes + to->used,
	    size, &to->dropped);
	to->filled++;
}
