/*
 * Context: O.  Passes batches from the reading thread of a sampler to the
 * thread of sampler_next(); see queue.h.
 */
#include "ring/queue.h"

void
queue_init(struct queue *q)
{
	*q = (struct queue) { 0 };
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->some, NULL);
}

void
queue_free(struct queue *q)
{
	while (q->first != NULL) {
		struct perf_buffer_batch *b = q->first;

		q->first = b->next;
		perf_buffer_batch_free(b);
	}
	pthread_cond_destroy(&q->some);
	pthread_mutex_destroy(&q->lock);
}

void
queue_put(struct queue *q, struct perf_buffer_batch *b)
{
	pthread_mutex_lock(&q->lock);
	b->next = NULL;
	if (q->first == NULL)
		q->first = b;
	else
		q->last->next = b;
	q->last = b;
	q->bytes += b->used;
	pthread_cond_signal(&q->some);
	pthread_mutex_unlock(&q->lock);
}

struct perf_buffer_batch *
queue_take(struct queue *q)
{
	struct perf_buffer_batch *b;

	pthread_mutex_lock(&q->lock);
	while (q->first == NULL)
		pthread_cond_wait(&q->some, &q->lock);
	b = q->first;
	q->first = b->next;
	q->bytes -= b->used;
	pthread_mutex_unlock(&q->lock);
	return b;
}

bool
queue_is_full(struct queue *q)
{
	bool full;

	pthread_mutex_lock(&q->lock);
	full = q->bytes > QUEUE_MOST;
	pthread_mutex_unlock(&q->lock);
	return full;
}
