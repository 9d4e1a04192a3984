/*
 * Context: O.  Holds the running processes that tprof monitor -p records, and
 * says when the recording is to end: with the processes, after a time, or by a
 * signal.  tprof_monitor.c opens and closes it; recording_kernel.c begins it,
 * and passes recording_attached_look() to the sampler; it and recording.c show
 * the processes.  There is no lock: once the reading thread of the sampler
 * runs, only that thread changes the struct.
 */
#ifndef RECORDING_ATTACHED_H
#define RECORDING_ATTACHED_H

#include "process/attached.h"

/* Running processes that are recorded. */
struct recording_attached {
	struct attached processes;
	int signals;		/* signalfd(2) of the signals that end it */
	int limit;		/* timerfd(2) of the time limit; -1: none */
	bool over;		/* a signal or the time limit has ended it */
};

/*
 * Finds the processes of the list `pids`, such as "12,13".  Blocks SIGINT,
 * SIGQUIT, SIGTERM and SIGHUP in this thread and in those that it starts later:
 * from now on these signals do not kill tprof, but end the recording.  Ignores
 * SIGPIPE and SIGXFSZ.  seconds: the time limit; 0: none.  Returns 0; -EINVAL
 * with *f set if `pids` is no such list; or another -errno with *f set.  The
 * caller calls recording_attached_close() in every case.
 */
int recording_attached_open(struct recording_attached *r, const char *pids,
    double seconds, struct fault *f);

/*
 * Starts the time limit, if there is one, when the recording begins.  seconds:
 * as passed to recording_attached_open().
 */
void recording_attached_begin(struct recording_attached *r, double seconds);

/*
 * Returns whether the recording is to end.  arg: the struct recording_attached.
 * This is the `watch` of a sampler, which calls it in its reading thread when
 * processes.news is readable: after a signal, at the time limit, and every 100
 * ms, to see whether the processes have ended.
 */
bool recording_attached_look(void *arg);

/*
 * Returns the processes as text, such as "12 perl x.pl, 13 make"; the caller
 * frees it.  Returns NULL without memory.
 */
char *recording_attached_text(const struct recording_attached *r);

/* Closes everything.  Signals stay blocked. */
void recording_attached_close(struct recording_attached *r);

#endif
