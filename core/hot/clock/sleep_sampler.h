/*
 * Context: S.  clock=wall: measures how long each thread has slept, and where.
 * The helper of wall_sampler.c calls it for each thread, the maker of a thread
 * for that, a thread at its end for itself, and the seal for the thread that
 * ends the process.
 */
#ifndef SLEEP_SAMPLER_H
#define SLEEP_SAMPLER_H

#include "unwind/stack_walk.h"

/* Words that are copied of a sleeper's stack. */
#define SLEEP_SAMPLER_WORDS	2048u
/* Bytes that are read of a file of /proc. */
#define SLEEP_SAMPLER_LINE	256u

/* Buffers and state for looking at one thread after the other. */
struct sleep_sampler {
	bool copies;		/* stacks may be copied */
	/* proc_info_filter_came(): no thread is looked at any more */
	bool filter_came;
	struct stack_walk_start from;	/* where the sleeper is */
	char line[SLEEP_SAMPLER_LINE];	/* text of a file of /proc */
	/* copy of the sleeper's stack */
	uint64_t copy[SLEEP_SAMPLER_WORDS];
};

/* One look at all threads. */
struct sleep_sampler_round {
	struct sleep_sampler *sleeper;
	uint64_t now;		/* CLOCK_MONOTONIC of the look, ns */
	int except;		/* a thread that is left out; 0: none */
	bool first;		/* only threads that have no account yet */
	/* the look ends at once when this is true */
	const _Atomic bool *over;
};

/*
 * Counts the time that the thread of s has slept since it was last looked at,
 * if it sleeps now.  It is a thread_slot_visit; round: the struct
 * sleep_sampler_round.  Only the helper calls it.
 */
void sleep_sampler_sample(struct thread_slot *s, void *round);

/*
 * Counts the time that the calling thread, whose slot is s and which, or whose
 * process, is about to end, has slept since it was last looked at, at the place
 * where it slept then.  Beside many threads the last look can be long ago.
 * Less than 20 ms is left out, and all of it if a tick is being counted.
 * Handlers of the program may get here by _exit(); handlers of ours must not
 * call it, nor a frozen process.
 */
void sleep_sampler_end(struct thread_slot *s);

/*
 * Begins the sleep account of a new thread, which the caller is about to make
 * and for which it has taken s.
 */
void sleep_sampler_begin(struct thread_slot *s);

#endif
