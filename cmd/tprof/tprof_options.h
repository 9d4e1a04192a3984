/*
 * Context: O.  Parses the options of those commands of tprof(8) that take
 * samples.
 */
#ifndef TPROF_OPTIONS_H
#define TPROF_OPTIONS_H

#include "sampler.h"

/* Source of the samples; TPROF_AUTO: what the user can have. */
enum tprof_backend { TPROF_AUTO, TPROF_KERNEL, TPROF_PRELOAD };

/* The options. */
struct tprof_options {
	struct events events;
	bool events_given;
	enum tprof_backend backend;
	unsigned hz;		/* samples a second; EVENT_HZ by default */
	bool hz_given;
	enum sampler_stacks stacks;
	bool tree;		/* only the command and what it starts */
	const char *output;	/* NULL: tprof.out; "-": standard output */
	double interval;	/* seconds; 0: not given */
	/* -a, -c and -u of top; -c of monitor sets `counters` */
	bool accumulate, counters, users;
};

/*
 * Parses options up to the first word that is none.  letters: those of
 * getopt(3) that the command has.  Returns the index of that word in argv; 0 if
 * --help was printed; -1 after a line on standard error.
 */
int tprof_options_parse(struct tprof_options *o, int argc, char **argv,
    const char *letters, const char *usage);

/* Frees the events in *o. */
void tprof_options_free(struct tprof_options *o);

/*
 * Returns whether the user may watch all processes, with the kernel's samples
 * of the first event.
 */
bool tprof_sees_all(const struct events *e);

#endif
