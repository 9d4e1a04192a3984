/*
 * Context: S.  A sorted table of the ranges of addresses that the program has
 * mapped, each with the path that asked for it; doc/design/mappings.md.
 * map_count.c owns the only table; in each call it holds the table's lock, with
 * signals blocked (behind a seccomp filter they are not).
 */
#ifndef MAP_TABLE_H
#define MAP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The default vm.max_map_count of Linux.  A process can have more ranges: the
 * kernel joins neighbors, which stay apart here.
 */
#define MAP_TABLE_MAX	65536u

/*
 * A range, or a piece of one; end: first address behind it; path: index of the
 * format_heap that counts it.
 */
struct map_range {
	uint64_t start, end;
	uint32_t path;
	/*
	 * a number that all pieces of a mapping have, also the removed ones,
	 * once part of it was removed, at an end or in the middle; 0: it is
	 * whole
	 */
	uint32_t mapping;
};

/* The table; all zero: empty. */
struct map_table {
	uint32_t count;	/* ranges in all[] */
	uint32_t split;		/* last number given to map_range.mapping */
	struct map_range all[MAP_TABLE_MAX];	/* by address; no two overlap */
};

/*
 * Receives each piece that was removed, which is valid during the call only,
 * and the caller's arg.  last: nothing of its mapping is left.
 */
typedef void map_table_removed(void *arg, const struct map_range *piece,
    bool last);

/*
 * Enters range r, or puts a piece that was removed back.  Returns false if it
 * is empty or overlaps a range, or if there is no room.
 */
bool map_table_insert(struct map_table *t, const struct map_range *r);

/*
 * Removes whatever lies between `start` and `end`, and calls `gone` with `arg`
 * for each piece.  Returns false if the hole is within a range and there was no
 * room for the part above the hole, which is reported as gone, too.
 */
bool map_table_remove(struct map_table *t, uint64_t start, uint64_t end,
    map_table_removed *gone, void *arg);

#endif
