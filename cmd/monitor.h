/* Context: O.  tprof monitor, at work: what both backends share. */
#ifndef MONITOR_H
#define MONITOR_H

#include "command.h"
#include "put.h"
#include "tprof_options.h"

struct monitor {
	struct tprof_options set;
	char **argv;		/* of the command */
	struct command command;
	FILE *out;
	const char *path;	/* of its output; "-" = standard output */
	bool failed;		/* something could not be written; it is said */
};

/* The exit status of tprof. */
int monitor_kernel(struct monitor *m);
int monitor_preload(struct monitor *m);

/* 0 or -errno with *f set. */
int monitor_open(struct monitor *m, struct fault *f);

/* Said once; the command goes on. */
void monitor_cannot_write(struct monitor *m, const struct fault *f);

/* The end of it, written; the statistics, on standard error, come before. */
void monitor_end(struct monitor *m, struct put *p);
void monitor_print(const struct put *p);

/* That of the command, or 1 where it is 0 and something failed. */
int monitor_status(const struct monitor *m);

#endif
