/* Context: O.  What the threads of a process are called. */
#include "space.h"

#include "grow.h"
#include "spaceproc.h"

#include <string.h>

/* Where it is, or would be. */
static size_t
place_of(const struct space *own, int32_t tid)
{
	size_t low = 0, high = own->thread_count;

	/* The newest has the highest number but after numbers came round. */
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

struct thread_name *
space_find_thread(const struct space *own, int32_t tid)
{
	const size_t at = place_of(own, tid);

	return at < own->thread_count && own->threads[at].tid == tid ?
	    &own->threads[at] : NULL;
}

struct thread_name *
space_add_thread(struct space *own, int32_t tid)
{
	const size_t at = place_of(own, tid);
	struct thread_name *t = space_find_thread(own, tid);

	if (t != NULL) {
		own->threads_ended -= t->ended != 0;
		t->ended = 0;
		return t;
	}
	if (grow(&own->threads, own->thread_count, &own->thread_room,
	    sizeof(*t)) != 0)
		return NULL;
	t = &own->threads[at];
	memmove(t + 1, t, (own->thread_count - at) * sizeof(*t));
	own->thread_count++;
	*t = (struct thread_name) { .tid = tid };
	return t;
}

struct thread_name *
space_thread(struct space *own, int32_t tid)
{
	struct thread_name *t = space_find_thread(own, tid);

	if (t != NULL)
		return t;
	t = space_add_thread(own, tid);
	if (t == NULL)
		return NULL;
	spaceproc_thread(own->pid, tid, t->name);
	/* It is gone; most have the name of their program. */
	if (*t->name == '\0' && own->named)
		memcpy(t->name, own->program, sizeof(t->name));
	return t;
}

void
space_forget_threads(struct space *own, uint64_t then)
{
	size_t kept = 0;

	own->threads_ended = 0;
	for (size_t i = 0; i < own->thread_count; i++) {
		const struct thread_name *t = &own->threads[i];

		if (t->ended != 0 && t->ended < then)
			continue;
		own->threads_ended += t->ended != 0;
		own->threads[kept++] = *t;
	}
	own->thread_count = kept;
}
