/*
 * Context: O.  Parses the options of tprof monitor, count, top and list: each
 * has its table and calls tprof_options_parse() first.  analyze has options of
 * its own.  The backends of recording.h read the options, too; prof record
 * makes them itself.
 */
#ifndef TPROF_OPTIONS_H
#define TPROF_OPTIONS_H

#include "common/option.h"
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
	const char *pids;	/* list of running processes; NULL: not given */
	double seconds;		/* longest time to record; 0: not given */
	/* -a, -c and -u of top; --stdout of monitor sets `counters` */
	bool accumulate, counters, users;
};

/* The options that commands have in their tables. */
enum tprof_option_tag {
	TPROF_OPT_ACCUMULATE, TPROF_OPT_BACKEND, TPROF_OPT_COUNTERS,
	TPROF_OPT_EVENT, TPROF_OPT_HELP, TPROF_OPT_HZ, TPROF_OPT_INTERVAL,
	TPROF_OPT_OUTPUT, TPROF_OPT_PIDS, TPROF_OPT_SECONDS, TPROF_OPT_STACKS,
	TPROF_OPT_STDOUT, TPROF_OPT_TREE, TPROF_OPT_USERS,
};

/* A command, and the help of it. */
struct tprof_command {
	const char *program;	/* how messages begin: "tprof top" */
	const char *usage;	/* lines above the options */
	const struct option_row *table;
	size_t rows;
	const char *end;	/* lines below them */
};

/*
 * Parses options up to the first word that is none.  argv[0] is the name of the
 * command.  Events are looked up if the command has an option for them;
 * o->events then has one or more.  Returns the index of that word in argv; 0 if
 * --help was printed; -1 after a line on standard error.  Any result needs
 * tprof_options_free().
 */
int tprof_options_parse(struct tprof_options *o, char **argv,
    const struct tprof_command *c);

/*
 * Prints what is wrong with the use of the command, and what to do, as a line
 * on standard error.  Returns the exit status for wrong use.
 */
int tprof_options_reject(const struct tprof_command *c, const char *what);

/* Frees the events in *o. */
void tprof_options_free(struct tprof_options *o);

/*
 * Returns whether the user may watch all processes, with the kernel's samples
 * of the first event.  *e must have one.
 */
bool tprof_sees_all(const struct events *e);

#endif
