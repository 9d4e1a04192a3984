/*
 * Context: S.  Mappings counted, by the thread that makes them;
 * doc/internals.md, section 22.
 */
#ifndef MAP_COUNT_H
#define MAP_COUNT_H

#include "heap/alloc_thread.h"
#include "heap_live/map_table.h"

struct map_count_piece {
	struct map_range range;
	bool last;
};

#define MAP_COUNT_FEW	3u	/* on the program's stack */

/* What a call is about to unmap: back again if it fails. */
struct map_count_removal {
	unsigned count, lost;	/* lost: there was no memory for so many */
	struct map_count_piece few[MAP_COUNT_FEW];
	struct map_count_piece *more;	/* room for all others; NULL none */
};

/* Mapped from start to end, in place of what may have been there. */
void map_count_add(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    const struct alloc_caller *from, bool resized);

/* Nothing yet.  Word by word: there is no memset() here. */
static inline void
map_count_begin(struct map_count_removal *off)
{
	off->count = off->lost = 0;
	off->more = NULL;
}

/* About to be unmapped; and it is, or, as the call failed, not after all. */
void map_count_remove(struct alloc_thread *l, uintptr_t start, uintptr_t end,
    struct map_count_removal *off);
void map_count_finish_remove(struct alloc_thread *l,
    struct map_count_removal *off, bool failed);

/*
 * Forgets the mappings that are live: their ends are not counted, and the peak
 * is the most that is live from here on.  Any thread, signal handlers.
 */
void map_count_forget(void);

/* What is mapped now, bytes. */
uint64_t map_count_live(void);

/* The lane's thread was at it, and has left it for good. */
void map_count_recover(const struct alloc_thread *l);

#endif
