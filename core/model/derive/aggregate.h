/*
 * Context: O.  Sums samples as they come in: of the current interval, and since
 * the beginning.  Only tprof top uses it, in one thread.
 */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "base/hash_index.h"

#include <stdbool.h>

/*
 * Usual limit of cells.  Beyond it, the cells that were not added to for
 * longest are dropped, unless they have the totals of a file.
 */
#define AGGREGATE_MAX	262144u

/* Key of a cell. */
struct aggregate_key {
	uint32_t event, cpu;
	uint32_t process;	/* number that the caller has given it */
	uint32_t tid;
	uint32_t node;		/* node of the sample's place */
};

/* Number of samples and sum of their weights. */
struct aggregate_value {
	uint64_t count, weight;
};

/* Sums of one key. */
struct aggregate_cell {
	struct aggregate_key key;
	uint32_t turn;		/* last interval in which it was added to */
	struct aggregate_value now;	/* sum of that interval */
	struct aggregate_value all;
	struct aggregate_value base;	/* sum before aggregate_clear() */
};

/* A place and its caller; callers have lower numbers. */
struct aggregate_node {
	uint32_t caller;	/* node; 0 = none */
	/* number that the caller of aggregate_find_node() has given it */
	uint32_t place;
};

/* All nodes and cells.  aggregate_init() begins it. */
struct aggregate {
	struct aggregate_node *nodes;	/* from index 1 on */
	size_t node_count, node_room;
	struct hash_index by_node;
	struct aggregate_cell *cells;
	size_t cell_count, cell_room;
	struct hash_index by_cell;
	uint32_t turn;		/* number of the current interval */
	size_t most;		/* limit of cells */
	bool totals;		/* aggregate_set() was called */
	struct aggregate_value forgotten;	/* sum of dropped cells */
};

/*
 * aggregate_init() begins an empty aggregate that holds at most about `most`
 * cells; aggregate_free() frees and empties it.
 */
void aggregate_init(struct aggregate *c, size_t most);
void aggregate_free(struct aggregate *c);

/*
 * Returns the number of the node of a place with that caller, a node or 0,
 * which is made if it is missing.  Returns 0 if memory is out.
 */
uint32_t aggregate_find_node(struct aggregate *c, uint32_t caller,
    uint32_t place);

/*
 * aggregate_add() adds *v to the cell of a key, which has no padding and is
 * compared as bytes.  aggregate_set() takes *v as the cell's total since the
 * beginning, and adds what is missing: nothing if the weight is not higher than
 * before.  If *v has fewer samples than before, its source was reset: the cell
 * begins at 0 again, and counts what exceeds *v from then on.  Both return 0 or
 * -ENOMEM.
 */
int aggregate_add(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v);
int aggregate_set(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v);

/*
 * Begins the next interval.  If there are more than c->most cells, drops the
 * oldest, down to at most half of that; only then do cells and nodes get other
 * numbers.  Drops none if aggregate_set() was called: it needs the sums of all
 * cells, and is called for each of them again.  Returns 0, or -ENOMEM; then *c
 * may no longer find its cells, and can only be freed.
 */
int aggregate_next_interval(struct aggregate *c);

/* Makes all counts begin at 0 again; cells and nodes stay. */
void aggregate_clear(struct aggregate *c);

/* Returns the sum of a cell in the current interval. */
static inline struct aggregate_value
aggregate_interval_value(const struct aggregate *c,
    const struct aggregate_cell *own)
{
	return own->turn == c->turn ? own->now :
	    (struct aggregate_value) { .count = 0 };
}

#endif
