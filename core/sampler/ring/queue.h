/*
 * Context: O.  Passes batches from the thread of a sampler that empties the
 * ring buffers, which must never wait for the other one, to the thread of
 * sampler_next(), which makes samples of them.  The lock is held for a few
 * instructions.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "ring/perf_buffer.h"

#include <pthread.h>

/* Most bytes in the queue.  Beyond this, samples are dropped and counted. */
#define QUEUE_MOST	(256u << 20)

/* The queue.  The lock guards all fields. */
struct queue {
	pthread_mutex_t lock;
	pthread_cond_t some;
	struct perf_buffer_batch *first, *last;
	size_t bytes;
};

/*
 * Prepares the queue (queue_init), or frees it with its batches (queue_free).
 */
void queue_init(struct queue *q);
void queue_free(struct queue *q);

/* Appends a batch, which the queue owns from then on. */
void queue_put(struct queue *q, struct perf_buffer_batch *b);

/*
 * Takes the first batch out, which the caller owns from then on.  Waits until
 * there is one.
 */
struct perf_buffer_batch *queue_take(struct queue *q);

/* Returns whether more than QUEUE_MOST bytes wait. */
bool queue_is_full(struct queue *q);

#endif
