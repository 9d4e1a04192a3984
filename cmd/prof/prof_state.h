/*
 * Context: O.  Holds the state of one run of prof(1): its options, its exit
 * status, and what it has printed on standard error.
 */
#ifndef PROF_STATE_H
#define PROF_STATE_H

#include "fault.h"
#include "prof/live.h"
#include "prof/prof_options.h"

#include <time.h>

/* Exit statuses: good, bad data, wrong use. */
enum { EXIT_GOOD = 0, EXIT_DATA = 1, EXIT_WRONG_USE = 2 };

/* A run of the command. */
struct prof_state {
	struct prof_options set;
	int status;
	bool terminal;		/* standard error is a terminal */
	bool shown;		/* a line of progress is on the terminal */
	struct timespec started;
	struct timespec last;
	bool running;		/* one of the processes still runs */
	struct live *live;	/* NULL without --live */
};

/*
 * Reports a fault on standard error, and sets the exit status.  With --live it
 * reports each fault once.
 */
void prof_state_report(struct prof_state *p, const struct fault *f);

/* Reports a fault; arg is a struct prof_state. */
void prof_state_on_fault(void *arg, const struct fault *f);

/*
 * Shows progress: on a terminal, if reading takes more than a second.  arg is a
 * struct prof_state.
 */
void prof_state_on_progress(void *arg, size_t done, size_t all,
    const char *what);

/* Removes the line of progress from the terminal. */
void prof_state_hide_progress(struct prof_state *p);

#endif
