/*
 * Context: O.  Batches on their way from the thread that empties the rings,
 * which must never wait, to who makes something of them, who may.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "perf_buffer.h"

#include <pthread.h>

/* Of what waits; beyond it samples are dropped, and counted. */
#define QUEUE_MOST	(256u << 20)

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t some;
	struct batch *first, *last;
	size_t bytes;
};

void queue_init(struct queue *q);
void queue_free(struct queue *q);
void queue_put(struct queue *q, struct batch *b);

/* The first one; waits for it. */
struct batch *queue_take(struct queue *q);
bool queue_is_full(struct queue *q);

#endif
