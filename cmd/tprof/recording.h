/* Context: O.  tprof monitor at work: what its two backends share. */
#ifndef RECORDING_H
#define RECORDING_H

#include "command.h"
#include "tprof/tprof_options.h"
#include "tprof_writer.h"

/* A run of tprof monitor. */
struct recording {
	struct tprof_options set;
	char **argv;		/* arguments of the command */
	struct command command;
	FILE *out;
	const char *path;	/* output file; "-": standard output */
	bool failed;	/* a fault was reported: something was not written */
};

/*
 * Runs the command and records its samples, by the kernel (recording_kernel) or
 * by libmon.so in the command (recording_preload).  Returns the exit status of
 * tprof.
 */
int recording_kernel(struct recording *m);
int recording_preload(struct recording *m);

/* Opens the output.  Returns 0, or -errno with *f set. */
int recording_open(struct recording *m, struct fault *f);

/* Reports once that the output cannot be written; the command goes on. */
void recording_write_failed(struct recording *m, const struct fault *f);

/*
 * Writes the end of the output and closes it (recording_end), or prints the
 * statistics on standard error, which comes before (recording_print_stats).
 */
void recording_end(struct recording *m, struct tprof_writer *p);
void recording_print_stats(const struct tprof_writer *p);

/*
 * Returns the exit status of the command; 1 if that is 0 and something failed.
 */
int recording_exit_status(const struct recording *m);

#endif
