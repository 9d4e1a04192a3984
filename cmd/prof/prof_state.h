/*
 * Context: O.  Holds the state of one call of prof(1): its options, its exit
 * status, and what it has printed on standard error.  main() of prof.c makes
 * it; the other files of cmd/prof report by it.  record, doctor and the classic
 * prof do not use it.
 */
#ifndef PROF_STATE_H
#define PROF_STATE_H

#include "fault.h"
#include "prof/live.h"
#include "prof/prof_options.h"
#include "standard_input.h"

#include <time.h>

/* Exit statuses: good, bad data, wrong use, more growth than --fail-over. */
enum { EXIT_GOOD = 0, EXIT_DATA = 1, EXIT_WRONG_USE = 2, EXIT_REGRESSION = 3 };

/* One call of prof(1). */
struct prof_state {
	struct prof_options set;
	int status;
	bool terminal;		/* standard error is a terminal */
	bool shown;		/* a line of progress is on the terminal */
	struct timespec started;	/* start of the reading */
	struct timespec last;		/* last line of progress */
	bool again;		/* faults of the files have been reported */
	bool running;		/* one of the processes still runs */
	struct live *live;	/* NULL without --live */
	char standard_input[STANDARD_INPUT_NAME];	/* the copy of "-" */
	/* runs that --diff compares beside the first that is named */
	const char **more;
	size_t more_count;
};

/*
 * Reports a fault on standard error, and sets the exit status to EXIT_DATA.
 * With --live it prints each fault of a file once.
 */
void prof_state_report(struct prof_state *p, const struct fault *f);

/*
 * Reports a fault, as a callback of readers, unless the same files are read
 * again; arg is a struct prof_state.
 */
void prof_state_on_fault(void *arg, const struct fault *f);

/*
 * Shows progress, as a callback of readers: on a terminal, from a second after
 * p->started on, ten times a second at most.  arg is a struct prof_state.
 */
void prof_state_on_progress(void *arg, size_t done, size_t all,
    const char *what);

/* Removes the line of progress from the terminal, if one is shown. */
void prof_state_hide_progress(struct prof_state *p);

#endif
