/* Context: S.  clock=wall: how long each thread has slept, and where. */
#ifndef SLEEPER_H
#define SLEEPER_H

#include "walk.h"

#define SLEEPER_WORDS	2048u		/* copied of a sleeper's stack */
#define SLEEPER_LINE	256u

/* Room for what is known of the thread that is looked at. */
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
 * A slot_visit, by one thread at a time, which is not the slot's: count what
 * the thread has slept since it was last looked at, if it sleeps now.
 */
void sleeper_look(struct slot *s, void *round);

/*
 * By the slot's own thread, in thread context, as it ends: count what it slept
 * since it was last looked at, where it slept then.  Beside many threads that
 * can be long ago; less than 20 ms are left out.
 */
void sleeper_end(struct slot *s);

/*
 * The time of the thread that s is for counts from here on: it is to be made.
 */
void sleeper_expect(struct slot *s);

#endif
