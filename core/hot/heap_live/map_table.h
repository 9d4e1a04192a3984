/*
 * Context: S.  A sorted table of the ranges of addresses that the program has
 * mapped, each with the path that asked for it; doc/design/mappings.md.
 * Callers hold a lock.
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
	 * a number that the pieces of a mapping have in common once it was
	 * split; 0: it was not split
	 */
	uint32_t mapping;
};

/* The table; all zero: empty. */
struct map_table {
	uint32_t count;	/* ranges in all[] */
	uint32_t split;		/* mappings that were split */
	struct map_range all[MAP_TABLE_MAX];	/* by address; no two overlap */
};

/*
 * Called with each piece that was removed.  last: nothing of its mapping is
 * left.
 */
typedef void map_table_removed(void *arg, const struct map_range *piece,
    bool last);

/*
 * Enters range r, or puts a piece that was removed back.  Returns false if it
 * overlaps a range, or if there is no room.
 */
bool map_table_insert(struct map_table *t, const struct map_range *r);

/*
 * Removes whatever lies between `start` and `end`, and calls `gone` with `arg`
 * for each piece.  Returns false if a range had to be split and there was no
 * room for its upper part, which is reported as gone, too.
 */
bool map_table_remove(struct map_table *t, uint64_t start, uint64_t end,
    map_table_removed *gone, void *arg);

#endif
