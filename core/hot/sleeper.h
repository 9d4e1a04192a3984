/*
 * Context: S.  clock=wall: measures how long each thread has slept, and where.
 */
#ifndef SLEEPER_H
#define SLEEPER_H

#include "walk.h"

#define SLEEPER_WORDS	2048u		/* copied of a sleeper's stack */
#define SLEEPER_LINE	256u

/* Buffers and state for looking at one thread after the other. */
struct sleeper {
	bool copies;		/* may stacks be copied? */
	struct walk_from from;
	char line[SLEEPER_LINE];	/* a file of /proc */
	uint64_t copy[SLEEPER_WORDS];
};

struct sleeper_round {
	struct sleeper *sleeper;
	uint64_t now;		/* monotonic */
	int except;		/* a thread that is not looked at, 0 none */
	bool first;		/* only threads that nobody has met yet */
	const _Atomic bool *over;	/* it ends at once when this is true */
};

/*
 * Counts what the slot's thread has slept since it was last looked at, if it
 * sleeps now.  A slot_visit; round: the struct sleeper_round.  One thread at a
 * time calls it, never the slot's own.
 */
void sleeper_look(struct slot *s, void *round);

/*
 * Counts what the calling thread, which owns the slot and is about to end, has
 * slept since it was last looked at, at the place where it slept then.  Beside
 * many threads the last look can be long ago; less than 20 ms is left out.  Not
 * in a signal handler.
 */
void sleeper_end(struct slot *s);

/*
 * Begins the account of the thread for which s is reserved, and which is not
 * made yet.
 */
void sleeper_expect(struct slot *s);

#endif
