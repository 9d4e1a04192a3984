/*
 * Context: O.  Samples as they come, summed: of this interval, and since the
 * beginning.
 */
#ifndef CENSUS_H
#define CENSUS_H

#include "finder.h"

#include <stdbool.h>

/* Cells beyond which those are forgotten that were not seen for longest. */
#define CENSUS_MOST	262144u

struct census_key {
	uint32_t event, cpu;
	uint32_t process;	/* a number of who asks */
	uint32_t tid;
	uint32_t node;
};

struct census_value {
	uint64_t count, weight;
};

struct census_cell {
	struct census_key key;
	uint32_t turn;		/* when it was last added to */
	struct census_value now;	/* of that turn */
	struct census_value all;
	struct census_value base;	/* before census_clear() */
};

/* A place and who called it; callers come first. */
struct census_node {
	uint32_t caller;	/* a node; 0 = none */
	uint32_t place;		/* a number of who asks */
};

/* All 0, but for `most`, is an empty one. */
struct census {
	struct census_node *nodes;	/* from 1 on */
	size_t node_count, node_room;
	struct finder by_node;
	struct census_cell *cells;
	size_t cell_count, cell_room;
	struct finder by_cell;
	uint32_t turn;
	size_t most;
	struct census_value forgotten;	/* of cells that had to go */
};

void census_init(struct census *c, size_t most);
void census_free(struct census *c);

/* Its number; 0: no memory. */
uint32_t census_node(struct census *c, uint32_t caller, uint32_t place);

/* More of a key; or what all of it is by now.  0 or -ENOMEM. */
int census_add(struct census *c, const struct census_key *key,
    const struct census_value *v);
int census_set(struct census *c, const struct census_key *key,
    const struct census_value *v);

/*
 * Another interval begins.  Then, and never else, may cells and nodes get other
 * numbers: where there are too many.  0 or -ENOMEM.
 */
int census_turn(struct census *c);

/* Counts begin at 0. */
void census_clear(struct census *c);

/* Of this interval. */
static inline struct census_value
census_now(const struct census *c, const struct census_cell *own)
{
	return own->turn == c->turn ? own->now :
	    (struct census_value) { .count = 0 };
}

#endif
