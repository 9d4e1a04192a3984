/*
 * Context: S.  Mappings counted, by the thread that makes them; doc/internals.md,
 * section 22.
 */
#ifndef MAPCOUNT_H
#define MAPCOUNT_H

#include "lane.h"
#include "ranges.h"

/* What a call is about to unmap: back again if it fails. */
struct mapcount_off {
	unsigned count;
	struct mapcount_piece {
		struct range range;
		bool last;
	} piece[4];		/* more are not put back */
};

/* Mapped from start to end, in place of what may have been there. */
void mapcount_given(struct lane *l, uintptr_t start, uintptr_t end,
    const struct heap_from *from, bool resized);

/* About to be unmapped; and not, after all. */
void mapcount_take(struct lane *l, uintptr_t start, uintptr_t end,
    struct mapcount_off *off);
void mapcount_put_back(struct lane *l, const struct mapcount_off *off);

/* The peak is the most from here on.  Any thread, signal handlers. */
void mapcount_anew(void);

/* What is mapped now, bytes. */
uint64_t mapcount_live(void);

/* The lane's thread was at it, and has left it for good. */
void mapcount_left(const struct lane *l);

#endif
