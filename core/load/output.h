/*
 * Context: O.  Writes an output file (-o FILE) as a whole or not at all, and
 * never over a profile, unless a tool replaces a profile on purpose.  A device,
 * a FIFO and standard output are written in place.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>

/* An output file while it is written. */
struct output {
	/* the caller writes here */
	FILE *out;
	const char *path;	/* NULL: standard output */
	/* path behind symbolic links; NULL: no such file yet */
	char *target;
	/* renamed to the final name at the end; NULL: none */
	char *temporary;
	bool replaces;		/* replaces a file that cannot be made again */
	bool is_private;	/* readable by its owner alone */
};

/*
 * Makes SIGINT, SIGTERM and SIGHUP remove the unfinished file before they end
 * the process: the file of the output that was opened last.  Commands call this
 * once.
 */
void output_unlink_on_signal(void);

/*
 * Opens an output file; NULL or "-": standard output.  A file that is a profile
 * is refused.  Returns 0, or -errno with *f set.  The caller ends with
 * output_close() or output_abandon().
 */
int output_open(struct output *o, const char *path, struct fault *f);

/*
 * Opens an output file that replaces the existing file `path`, which may be a
 * profile.  The new file is on the disk before the old one goes.  Returns as
 * output_open().
 */
int output_replace(struct output *o, const char *path, struct fault *f);

/* Opens an output file like output_open(), with mode 0600. */
int output_open_private(struct output *o, const char *path, struct fault *f);

/*
 * Finishes the output: writes everything and renames the file.  Returns 0, or
 * -errno with *f set; no new file is left then.
 */
int output_close(struct output *o, struct fault *f);

/* Closes the output and removes the unfinished file. */
void output_abandon(struct output *o);

#endif
