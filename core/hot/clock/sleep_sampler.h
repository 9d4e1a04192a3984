/*
 * Context: S.  clock=wall: measures how long each thread has slept, and where.
 */
#ifndef SLEEP_SAMPLER_H
#define SLEEP_SAMPLER_H

#include "unwind/stack_walk.h"

/* Copied of a sleeper's stack */
#define SLEEP_SAMPLER_WORDS	2048u
#define SLEEP_SAMPLER_LINE	256u

/* Buffers and state for looking at one thread after the other. */
struct sleep_sampler {
	bool copies;		/* may stacks be copied? */
	struct stack_walk_start from;
	char line[SLEEP_SAMPLER_LINE];	/* a file of /proc */
	uint64_t copy[SLEEP_SAMPLER_WORDS];
};

struct sleep_sampler_round {
	struct sleep_sampler *sleeper;
	uint64_t now;		/* monotonic */
	int except;		/* a thread that is not looked at, 0 none */
	bool first;		/* only threads that nobody has met yet */
	const _Atomic bool *over;	/* it ends at once when this is true */
};

/*
 * Counts what the slot's thread has slept since it was last looked at, if it
 * sleeps now.  A thread_slot_visit; round: the struct sleep_sampler_round.  One
 * thread at a time calls it, never the slot's own.
 */
void sleep_sampler_sample(struct thread_slot *s, void *round);

/*
 * Counts what the calling thread, which owns the slot and is about to end, has
 * slept since it was last looked at, at the place where it slept then.  Beside
 * many threads the last look can be long ago; less than 20 ms is left out.  Not
 * in a signal handler.
 */
void sleep_sampler_end(struct thread_slot *s);

/*
 * Begins the account of the thread for which s is reserved, and which is not
 * made yet.
 */
void sleep_sampler_begin(struct thread_slot *s);

#endif
