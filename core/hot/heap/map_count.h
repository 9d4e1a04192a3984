/*
 * Context: S.  Counts mappings, in the thread that makes them, and keeps the
 * table of those that are live.  One lock and one table serve the whole
 * process; the functions take the lock themselves, and may wait ten seconds for
 * it; they block signals meanwhile, but not in a frozen process.  map_hooks.c
 * calls it, in the thread that maps; heap_timeline.c reads the sum,
 * live_control.c makes it forget, alloc_thread.c recovers;
 * doc/design/mappings.md.
 */
#ifndef MAP_COUNT_H
#define MAP_COUNT_H

#include "heap/alloc_thread.h"
#include "heap_live/map_table.h"

/*
 * A piece of a mapping that was taken out of the table; last: nothing of its
 * mapping was left.
 */
struct map_count_piece {
	struct map_range range;
	bool last;
};

#define MAP_COUNT_FEW	3u	/* pieces kept on the program's stack */

/*
 * The pieces of mappings that a call is about to unmap; they go back into the
 * table if the call fails.
 */
struct map_count_removal {
	unsigned count, lost;	/* lost: pieces that there was no memory for */
	struct map_count_piece few[MAP_COUNT_FEW];
	/* room for all further pieces; NULL: none */
	struct map_count_piece *more;
};

/*
 * Counts a mapping from `start` to `end`, which the real call has made.  Takes
 * out of the table whatever it replaces.  path: index of the format_heap that
 * counts it, or 0, if it is not counted; resized: mremap() made it from another
 * mapping.  If the table has no room, or its lock is not to be had, the mapping
 * is counted as a loss.
 */
void map_count_add(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    uint32_t path, bool resized);

/*
 * Initializes *off as empty.  Assigns each field, because there is no memset()
 * here.
 */
static inline void
map_count_begin(struct map_count_removal *off)
{
	off->count = off->lost = 0;
	off->more = NULL;
}

/*
 * map_count_remove() takes the range from `start` to `end`, which is about to
 * be unmapped, out of the table, and records the pieces in *off, which
 * map_count_begin() has initialized.  After the real call
 * map_count_finish_remove() releases *off; if the call failed, it puts the
 * pieces back.
 */
void map_count_remove(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    struct map_count_removal *off);
void map_count_finish_remove(struct alloc_thread *l,
    struct map_count_removal *off, bool failed);

/*
 * Forgets the mappings that are live: their ends are not counted, and from here
 * on the peak is the most that is live.  Any thread and any signal handler may
 * call it; it takes no lock.
 */
void map_count_forget(void);

/*
 * Returns the bytes of the counted mappings that are live now.  Takes no lock.
 */
uint64_t map_count_live(void);

/*
 * Recovers the table if the alloc_thread's thread holds its lock, and has left
 * the call for good: empties the table, and releases the lock.
 * alloc_thread_recover() calls it.
 */
void map_count_recover(const struct alloc_thread *l);

#endif
