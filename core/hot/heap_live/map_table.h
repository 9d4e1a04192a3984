/*
 * Context: S.  Ranges of addresses that the program has mapped, each with the
 * path that asked for it; doc/internals.md, section 22.  Who calls holds a
 * lock.
 */
#ifndef MAP_TABLE_H
#define MAP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * vm.max_map_count of Linux, as it comes.  A process can have more: the kernel
 * joins neighbours, which stay apart here.
 */
#define MAP_TABLE_MAX	65536u

struct map_range {
	uint64_t start, end;
	uint32_t path;
	uint32_t mapping;	/* the pieces of one that was split have the
				   same number; else 0 */
};

struct map_table {
	uint32_t count;
	uint32_t split;		/* so many were */
	struct map_range all[MAP_TABLE_MAX];	/* by address; none overlap */
};

/* What a piece was that is gone now; last: nothing of its mapping is left. */
typedef void map_table_removed(void *arg, const struct map_range *piece,
    bool last);

/*
 * False: something is there, or no room.  A piece that was taken goes back so.
 */
bool map_table_insert(struct map_table *t, const struct map_range *r);

/*
 * Whatever of them lies within.  False: one was to be split, and there is no
 * room for the upper part of it, which is told as gone, too.
 */
bool map_table_remove(struct map_table *t, uint64_t start, uint64_t end,
    map_table_removed *gone, void *arg);

#endif
