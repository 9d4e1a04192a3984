/*
 * Context: O.  Shows a report again and again while programs run (prof --live).
 * prof.c makes one struct live for its call and repeats live_begin(),
 * live_show() and live_wait(); prof_state.c asks which faults were reported.
 */
#ifndef LIVE_H
#define LIVE_H

#include "fault.h"
#include "prof/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* A series of reports. */
struct live {
	bool terminal;	/* standard output is a terminal */
	unsigned rows;	/* lines of the terminal; 0: not known or no terminal */
	/* a report is on the terminal */
	bool cleared;
	FILE *out;		/* report that is being made */
	char *text;
	size_t bytes;
	/* start of that report; zeroes before the first one */
	struct timespec began;
	struct report_repeated before;	/* what the last report showed */
	/* faults of earlier reports, as "FILE\nWHAT" */
	char **reported;
	size_t reported_count, reported_room;
};

/*
 * Prepares for the first report (live_init), before anything is written to
 * standard output; or frees the state (live_free).
 */
void live_init(struct live *l);
void live_free(struct live *l);

/*
 * Returns whether an earlier call has noted this fault.  Notes it if not,
 * unless memory is out.
 */
bool live_note_fault(struct live *l, const struct fault *f);

/*
 * Returns how many lines of a table leave room for header and footer on the
 * terminal; 0: all, if its size is not known.
 */
unsigned live_lines(const struct live *l);

/*
 * Begins a report: reads the terminal's size again, and sets l->before.seconds
 * to the time since the last begin, which means nothing at the first call.
 * Returns the stream in memory to write the report to, which has the properties
 * of standard output's terminal; live_show() closes it.  Returns NULL if memory
 * is out: then live_show() must not be called.
 */
FILE *live_begin(struct live *l);

/*
 * Writes the report to standard output and frees it.  On a terminal it replaces
 * the last one, and ends where the screen ends; if `last` is set, it is shown
 * as a whole.  Elsewhere it follows the last one.  Returns false if it cannot
 * be written, or if there was no memory for it.
 */
bool live_show(struct live *l, bool last);

/*
 * Waits a second, or, if that is longer, four times what the report has taken
 * since live_begin(), so that reports use at most a fifth of a processor.
 */
void live_wait(const struct live *l);

#endif
