/*
 * Context: O.  Reads the ring buffer into which the kernel writes the ring
 * entries of a processor.  sampler_open.c maps it; only the sampler's reading
 * thread empties it.  perf_buffer_now() is the clock of all of tprof.
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
	void *base;		/* MAP_FAILED: none */
	size_t bytes;		/* size of the data, a power of 2 */
};

/* Records of all processors as they came, one after the other. */
struct batch {
	struct batch *next;
	unsigned char *bytes;
	size_t used, room;
	/*
	 * CLOCK_MONOTONIC before the first buffer was read: all ring entries
	 * that are older are in this batch or in earlier ones
	 */
	uint64_t began;
	/* no batch follows */
	bool last;
	/* ring buffers that had ring entries, and those that had none */
	unsigned filled, empty;
	/* samples that were dropped, as the queue was full */
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
 * buffer in the batch.  samples: false: drops samples and counts them in the
 * batch.  Without memory the ring entries stay, as if there were none.
 */
void perf_buffer_drain(struct perf_buffer *b, struct batch *to, bool samples);

/*
 * Makes an empty batch (perf_buffer_batch_new: NULL without memory), or frees
 * one (perf_buffer_batch_free).
 */
struct batch *perf_buffer_batch_new(void);
void perf_buffer_batch_free(struct batch *b);

/* Returns CLOCK_MONOTONIC in ns. */
uint64_t perf_buffer_now(void);

#endif
