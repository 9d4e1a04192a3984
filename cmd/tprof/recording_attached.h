/*
 * Context: O.  Says which running processes a recording of tprof monitor -p is
 * of, and when it is to end: with the processes, after a time, or by a signal.
 * tprof_monitor.c opens and closes it, recording_kernel.c uses it.
 */
#ifndef RECORDING_ATTACHED_H
#define RECORDING_ATTACHED_H

#include "process/attached.h"

/* Running processes that are recorded. */
struct recording_attached {
	struct attached processes;
	int signals;		/* signalfd(2) of those that end it */
	int limit;		/* timerfd(2) of the time limit; -1: none */
	bool over;		/* a signal or the time limit has ended it */
};

/*
 * Finds the processes of the list `pids`, and blocks SIGINT, SIGQUIT, SIGTERM
 * and SIGHUP in this thread and those that it makes; they end the recording
 * from then on.  seconds: the longest time; 0: no limit.  Returns as
 * attached_open(); the caller calls recording_attached_close() in every case.
 */
int recording_attached_open(struct recording_attached *r, const char *pids,
    double seconds, struct fault *f);

/*
 * Starts the time limit of `seconds`, if there is one.  The recording begins
 * now.
 */
void recording_attached_begin(struct recording_attached *r, double seconds);

/*
 * Returns whether the recording is to end.  This is the `watch` of a sampler,
 * called in its reading thread when r->processes.news is readable.
 */
bool recording_attached_look(void *recording_attached);

/*
 * Returns the processes as text, such as "12 perl x.pl, 13 make"; the caller
 * frees it.  Returns NULL without memory.
 */
char *recording_attached_text(const struct recording_attached *r);

/* Closes everything.  Signals stay blocked. */
void recording_attached_close(struct recording_attached *r);

#endif
