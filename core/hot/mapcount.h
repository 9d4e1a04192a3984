/*
 * Context: S.  Mappings counted, by the thread that makes them;
 * doc/internals.md, section 22.
 */
#ifndef MAPCOUNT_H
#define MAPCOUNT_H

#include "lane.h"
#include "ranges.h"

struct mapcount_piece {
	struct range range;
	bool last;
};

#define MAPCOUNT_FEW	3u	/* on the program's stack */

/* What a call is about to unmap: back again if it fails. */
struct mapcount_off {
	unsigned count, lost;	/* lost: there was no memory for so many */
	struct mapcount_piece few[MAPCOUNT_FEW];
	struct mapcount_piece *more;	/* room for all others; NULL none */
};

/* Mapped from start to end, in place of what may have been there. */
void mapcount_given(struct lane *l, uintptr_t start, uintptr_t end,
    const struct heap_from *from, bool resized);

/* Nothing yet.  Word by word: there is no memset() here. */
static inline void
mapcount_begin(struct mapcount_off *off)
{
	off->count = off->lost = 0;
	off->more = NULL;
}

/* About to be unmapped; and it is, or, as the call failed, not after all. */
void mapcount_take(struct lane *l, uintptr_t start, uintptr_t end,
    struct mapcount_off *off);
void mapcount_taken(struct lane *l, struct mapcount_off *off, bool failed);

/*
 * Forgets the mappings that are live: their ends are not counted, and the peak
 * is the most that is live from here on.  Any thread, signal handlers.
 */
void mapcount_forget(void);

/* What is mapped now, bytes. */
uint64_t mapcount_live(void);

/* The lane's thread was at it, and has left it for good. */
void mapcount_left(const struct lane *l);

#endif
