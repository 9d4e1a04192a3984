/*
 * Context: O.  tprof monitor at work.  tprof_monitor.c fills a struct recording
 * and calls one of the two backends, recording_kernel() or recording_preload();
 * record_kernel.c of prof record calls the first.  The other functions are what
 * the backends share.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "command.h"
#include "tprof/recording_attached.h"
#include "tprof/tprof_options.h"
#include "tprof_writer.h"

/*
 * One recording, of a command or of running processes.  The caller of a backend
 * frees `set`, closes `command` if it has a pid, and `out` if it is open.
 */
struct recording {
	struct tprof_options set;
	/* arguments of the command; {NULL} if processes are attached */
	char **argv;
	/* running processes to be recorded instead of a command; NULL: none */
	struct recording_attached *attached;
	struct command command;
	FILE *out;
	const char *path;	/* output file; "-": standard output */
	bool quiet;	/* statistics and losses go to the file alone */
	bool ran;	/* the command was executed, by recording_kernel() */
	bool failed;	/* a fault was reported: something was not written */
};

/*
 * Runs the command and records its samples, by the kernel (recording_kernel) or
 * by libmon.so in the command (recording_preload), or records the attached
 * processes.  *m has the options, events, arguments and path.  Prints faults on
 * standard error.  Returns the exit status: that of the command; COMMAND_NOT_*
 * if it could not be run; 1 if the command was not started, or if its status is
 * 0 and something failed.
 */
int recording_kernel(struct recording *m);
int recording_preload(struct recording *m);

/* Opens the output.  Returns 0, or -EIO with *f set, whatever the reason. */
int recording_open(struct recording *m, struct fault *f);

/* Reports once that the output cannot be written; the command goes on. */
void recording_write_failed(struct recording *m, const struct fault *f);

/*
 * Writes the end of the output and closes it (recording_end), or prints the sum
 * and the statistics on standard error (recording_print_stats), which the
 * backends do before that.  The command has ended.
 */
void recording_end(struct recording *m, struct tprof_writer *p);
void recording_print_stats(const struct tprof_writer *p);

/* Says what is recorded, on standard error.  all: the whole machine. */
void recording_print_scope(const struct recording *m, bool all);

/* Says which file was written, and how to read it, on standard error. */
void recording_print_output(const struct recording *m);

/*
 * Returns the exit status of the command; 1 if that is 0 and something failed.
 */
int recording_exit_status(const struct recording *m);

#endif
