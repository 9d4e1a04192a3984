/*
 * Context: O.  Reads the ring buffer into which the kernel writes what the perf
 * events of one processor report.  sampler_open.c maps it; only the reading
 * thread of sampler.c empties it, and passes the batches to sampler_next() by
 * the queue (queue.h).  The sampler and tprof take the time, where it is
 * CLOCK_MONOTONIC, from perf_buffer_now().
 */
#ifndef PERF_BUFFER_H
#define PERF_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapped ring buffer. */
struct perf_buffer {
	int fd;
	unsigned cpu;
	void *mapping;		/* MAP_FAILED: none */
	size_t bytes;		/* size of the data, a power of 2 */
};

/* Ring entries of all processors, buffer after buffer, not sorted by time. */
struct perf_buffer_batch {
	struct perf_buffer_batch *next;
	unsigned char *bytes;
	size_t used, room;
	/*
	 * CLOCK_MONOTONIC just before the first ring buffer was drained into
	 * this batch: all ring entries that are older are in it or in an
	 * earlier one
	 */
	uint64_t began;
	/* no batch follows */
	bool last;
	/*
	 * ring buffers from which ring entries were taken, and those from which
	 * none were
	 */
	unsigned filled, empty;
	/* PERF_RECORD_SAMPLE entries thrown away, as the queue was full */
	uint64_t dropped;
};

/*
 * Maps the ring buffer of the event fd, which stays the caller's, with `bytes`
 * of data.  Returns 0 or -errno.
 */
int perf_buffer_map(struct perf_buffer *b, int fd, unsigned cpu, size_t bytes);

/* Unmaps the ring buffer, if it is mapped. */
void perf_buffer_unmap(struct perf_buffer *b);

/*
 * Moves the ring entries of a ring buffer to the end of a batch, and counts the
 * buffer in to->filled or to->empty.  If `samples` is false, throws away those
 * of type PERF_RECORD_SAMPLE and counts them in to->dropped.  Without memory,
 * leaves all in the ring buffer and counts it as empty.
 */
void perf_buffer_drain(struct perf_buffer *b, struct perf_buffer_batch *to,
    bool samples);

/* Returns an empty batch, to be freed by the next function; NULL: no memory. */
struct perf_buffer_batch *perf_buffer_batch_new(void);

/* Frees a batch, which may be NULL. */
void perf_buffer_batch_free(struct perf_buffer_batch *b);

/* Returns CLOCK_MONOTONIC in ns. */
uint64_t perf_buffer_now(void);

#endif
