/* Context: O.  What the commands of tprof(8) that take samples are told. */
#ifndef TPROF_OPTIONS_H
#define TPROF_OPTIONS_H

#include "sampler.h"

enum tprof_backend { TPROF_AUTO, TPROF_KERNEL, TPROF_PRELOAD };

struct tprof_options {
	struct events events;
	bool events_given;
	enum tprof_backend backend;
	unsigned hz;		/* EVENT_HZ where it was not given */
	bool hz_given;
	enum sampler_stacks stacks;
	bool tree;		/* the command and what it starts, no others */
	const char *output;	/* NULL = tprof.out; "-" standard output */
	double interval;	/* seconds; 0 = not given */
	bool accumulate, counters, users;	/* of top */
};

/*
 * Options up to the first word that is none: its index in argv, or -1 after a
 * line on stderr, or 0 where all was said (--help).  letters: those of
 * getopt(3) that the command has.
 */
int tprof_options_parse(struct tprof_options *o, int argc, char **argv,
    const char *letters, const char *usage);
void tprof_options_free(struct tprof_options *o);

/* Who may see all processes, and the kernel's samples of them? */
bool tprof_sees_all(const struct events *e);

#endif
