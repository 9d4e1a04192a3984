/*
 * Context: O.  Keeps the threads of a process and their names, sorted by tid,
 * for address_space.c, event_order.c, the recorder and tprof top; see
 * address_space.h.
 */
#include "process/address_space.h"

#include "process/address_space_proc.h"
#include "base/vector.h"

#include <string.h>

/* Returns the index of a thread, or where it would be. */
static size_t
place_of(const struct address_space *own, int32_t tid)
{
	size_t low = 0, high = own->thread_count;

	/*
	 * A new thread has the highest number, except after the numbers
	 * wrapped.
	 */
	if (high != 0 && own->threads[high - 1].tid < tid)
		return high;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (own->threads[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct address_space_thread *
address_space_find_thread(const struct address_space *own, int32_t tid)
{
	const size_t at = place_of(own, tid);

	return at < own->thread_count && own->threads[at].tid == tid ?
	    &own->threads[at] : NULL;
}

struct address_space_thread *
address_space_add_thread(struct address_space *own, int32_t tid)
{
	const size_t at = place_of(own, tid);
	struct address_space_thread *t = address_space_find_thread(own, tid);

	if (t != NULL) {
		own->threads_ended -= t->ended != 0;
		t->ended = 0;
		t->watcher = 0;
		return t;
	}
	if (vector_grow(&own->threads, own->thread_count, &own->thread_room,
	    sizeof(*t)) != 0)
		return NULL;
	t = &own->threads[at];
	memmove(t + 1, t, (own->thread_count - at) * sizeof(*t));
	own->thread_count++;
	*t = (struct address_space_thread) { .tid = tid };
	return t;
}

struct address_space_thread *
address_space_get_thread(struct address_space *own, int32_t tid)
{
	struct address_space_thread *t = address_space_find_thread(own, tid);

	if (t != NULL)
		return t;
	t = address_space_add_thread(own, tid);
	if (t == NULL)
		return NULL;
	address_space_proc_thread(own->pid, tid, t->name);
	/* The thread is gone; most threads have the name of their program. */
	if (*t->name == '\0' && own->named)
		memcpy(t->name, own->program, sizeof(t->name));
	return t;
}

void
address_space_drop_threads(struct address_space *own, uint64_t then)
{
	size_t kept = 0;

	own->threads_ended = 0;
	for (size_t i = 0; i < own->thread_count; i++) {
		const struct address_space_thread *t = &own->threads[i];

		if (t->ended != 0 && t->ended < then)
			continue;
		own->threads_ended += t->ended != 0;
		own->threads[kept++] = *t;
	}
	own->thread_count = kept;
}
