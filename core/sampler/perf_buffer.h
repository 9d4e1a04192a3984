/* Context: O.  The ring in which the kernel puts what it saw on a processor. */
#ifndef PERF_BUFFER_H
#define PERF_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_buffer {
	int fd;
	unsigned cpu;
	void *base;		/* MAP_FAILED: none */
	size_t bytes;		/* of data; a power of 2 */
};

/* Records as they came, of all processors, one after the other. */
struct batch {
	struct batch *next;
	unsigned char *bytes;
	size_t used, room;
	uint64_t began;		/* CLOCK_MONOTONIC before the first was looked
				   at: what is older is in it, or was before */
	bool last;
};

/* 0 or -errno. */
int perf_buffer_map(struct perf_buffer *b, int fd, unsigned cpu, size_t bytes);
void perf_buffer_unmap(struct perf_buffer *b);

/*
 * Behind what the batch holds; samples only if they are wanted, of which *left
 * counts those that are not.  True: there was something.  When memory is out it
 * stays where it is.
 */
bool perf_buffer_drain(struct perf_buffer *b, struct batch *to, bool samples,
    uint64_t *left);

struct batch *perf_buffer_batch_new(void);
void perf_buffer_batch_free(struct batch *b);

/* CLOCK_MONOTONIC, ns. */
uint64_t perf_buffer_now(void);

#endif
