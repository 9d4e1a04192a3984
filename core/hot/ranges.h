/*
 * Context: S.  Ranges of addresses that the program has mapped, each with the
 * path that asked for it; doc/internals.md, section 22.  Who calls holds a
 * lock.
 */
#ifndef RANGES_H
#define RANGES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * vm.max_map_count of Linux, as it comes.  A process can have more: the kernel
 * joins neighbours, which stay apart here.
 */
#define RANGES_MOST	65536u

struct range {
	uint64_t start, end;
	uint32_t path;
	uint32_t mapping;	/* the pieces of one that was split have the
				   same number; else 0 */
};

struct ranges {
	uint32_t count;
	uint32_t split;		/* so many were */
	struct range all[RANGES_MOST];	/* by address; none overlap */
};

/* What a piece was that is gone now; last: nothing of its mapping is left. */
typedef void ranges_gone(void *arg, const struct range *piece, bool last);

/*
 * False: something is there, or no room.  A piece that was taken goes back so.
 */
bool ranges_enter(struct ranges *t, const struct range *r);

/*
 * Whatever of them lies within.  False: one was to be split, and there is no
 * room for the upper part of it, which is told as gone, too.
 */
bool ranges_take(struct ranges *t, uint64_t start, uint64_t end,
    ranges_gone *gone, void *arg);

#endif
