/*
 * Context: S.  log=yes: keeps the time of each sample in the file, for
 * sample_node.c.
 *
 * Each slot writes into a block of its own, so two threads never write to the
 * same one.  The blocks take half of the file at the most: the rest is for the
 * counts.
 */
#include "clock/tick_log.h"

#include "base/loss_count.h"
#include "store/store.h"

#define FIRST_ROOM	15u	/* entries, 256 bytes: most threads are brief */
#define MOST_ROOM	1023u	/* entries, 16 KiB: 1 s of a busy thread */

/*
 * Starts a new block of s, twice as large as the last.  Returns false if there
 * is no room.
 */
static bool
next_log_block(struct thread_slot *s)
{
	struct format_tick_log *b;
	uint32_t room, index;

	room = s->log.room == 0 ? FIRST_ROOM : 2 * s->log.room + 1;
	if (room > MOST_ROOM)
		room = MOST_ROOM;
	index = store_take_optional(sizeof(*b) + room * sizeof(b->moment[0]));
	if (index == 0)
		return false;
	b = store_at(index);
	b->thread = s->records.thread;
	b->room = room;
	store_publish(&store_raw_header()->moments, index);
	s->log.block = index;
	s->log.room = room;
	s->log.count = 0;
	return true;
}

/* Appends an entry to the block of s.  Returns false if there is no room. */
static bool
put_logged_tick(struct thread_slot *s, uint64_t now, uint32_t node, uint32_t ns)
{
	struct format_tick_log *b;
	struct format_logged_tick *m;

	if (s->log.count == s->log.room && !next_log_block(s))
		return false;
	b = store_at(s->log.block);
	m = &b->moment[s->log.count++];
	m->node = node;
	m->ns = ns;
	__atomic_store_n(&m->mono, now, __ATOMIC_RELEASE);
	return true;
}

void
tick_log_add(struct thread_slot *s, uint32_t node, uint64_t ns, bool late)
{
	uint64_t now;
	uint32_t part;

	/* After a seccomp filter is set, we may not ask for the time. */
	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		loss_count(LOSS_MOMENT, 1);
		return;
	}
	now = late && s->log.mono != 0 ? s->log.mono :
	    sys_clock(CLOCK_MONOTONIC);
	s->log.mono = now;
	do {
		part = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
		ns -= part;
		if (!put_logged_tick(s, now, node, part)) {
			loss_count(LOSS_MOMENT, 1);
			return;
		}
	} while (ns != 0);
}
