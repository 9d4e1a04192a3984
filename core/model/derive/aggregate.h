/*
 * Context: O.  Samples as they come, summed: of this interval, and since the
 * beginning.
 */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "hash_index.h"

#include <stdbool.h>

/* Cells beyond which those are forgotten that were not seen for longest. */
#define AGGREGATE_MAX	262144u

struct aggregate_key {
	uint32_t event, cpu;
	uint32_t process;	/* a number of who asks */
	uint32_t tid;
	uint32_t node;
};

struct aggregate_value {
	uint64_t count, weight;
};

struct aggregate_cell {
	struct aggregate_key key;
	uint32_t turn;		/* when it was last added to */
	struct aggregate_value now;	/* of that turn */
	struct aggregate_value all;
	struct aggregate_value base;	/* before aggregate_clear() */
};

/* A place and who called it; callers come first. */
struct aggregate_node {
	uint32_t caller;	/* a node; 0 = none */
	uint32_t place;		/* a number of who asks */
};

/* All 0, but for `most`, is an empty one. */
struct aggregate {
	struct aggregate_node *nodes;	/* from 1 on */
	size_t node_count, node_room;
	struct hash_index by_node;
	struct aggregate_cell *cells;
	size_t cell_count, cell_room;
	struct hash_index by_cell;
	uint32_t turn;
	size_t most;
	struct aggregate_value forgotten;	/* of cells that had to go */
};

void aggregate_init(struct aggregate *c, size_t most);
void aggregate_free(struct aggregate *c);

/* Its number; 0: no memory. */
uint32_t aggregate_find_node(struct aggregate *c, uint32_t caller,
    uint32_t place);

/* More of a key; or what all of it is by now.  0 or -ENOMEM. */
int aggregate_add(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v);
int aggregate_set(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v);

/*
 * Another interval begins.  Then, and never else, may cells and nodes get other
 * numbers: where there are too many.  0 or -ENOMEM.
 */
int aggregate_next_interval(struct aggregate *c);

/* Counts begin at 0. */
void aggregate_clear(struct aggregate *c);

/* Of this interval. */
static inline struct aggregate_value
aggregate_interval_value(const struct aggregate *c,
    const struct aggregate_cell *own)
{
	return own->turn == c->turn ? own->now :
	    (struct aggregate_value) { .count = 0 };
}

#endif
