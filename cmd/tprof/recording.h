/* Context: O.  tprof monitor, at work: what both backends share. */
#ifndef RECORDING_H
#define RECORDING_H

#include "command.h"
#include "tprof/tprof_options.h"
#include "tprof_writer.h"

struct recording {
	struct tprof_options set;
	char **argv;		/* of the command */
	struct command command;
	FILE *out;
	const char *path;	/* of its output; "-" = standard output */
	bool failed;		/* something could not be written; it is said */
};

/* The exit status of tprof. */
int recording_kernel(struct recording *m);
int recording_preload(struct recording *m);

/* 0 or -errno with *f set. */
int recording_open(struct recording *m, struct fault *f);

/* Said once; the command goes on. */
void recording_write_failed(struct recording *m, const struct fault *f);

/* The end of it, written; the statistics, on standard error, come before. */
void recording_end(struct recording *m, struct tprof_writer *p);
void recording_print_stats(const struct tprof_writer *p);

/* That of the command, or 1 where it is 0 and something failed. */
int recording_exit_status(const struct recording *m);

#endif
