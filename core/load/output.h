/*
 * Context: O.  Writes an output file (-o FILE) as a whole or not at all, and
 * never over a profile, unless a tool replaces a profile on purpose.  A device,
 * a FIFO and standard output are written in place.  For prof and its exports,
 * the listing, and dumps (core/control).  Not for several threads.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * An output file while it is written.  The functions below set and free its
 * parts; the caller uses `out` only.
 */
struct output {
	/* the caller writes here */
	FILE *out;
	const char *path;	/* borrowed; NULL: standard output */
	/* path behind symbolic links; NULL: no such file yet */
	char *target;
	/*
	 * written and renamed to the final name at the end; NULL: none, as the
	 * file is written in place
	 */
	char *temporary;
	bool replaces;		/* replaces a file that cannot be made again */
	bool is_private;	/* readable by its owner alone */
};

/*
 * Makes SIGINT, SIGTERM and SIGHUP remove the unfinished file before they end
 * the process: the file of the output that was opened last.  Signals that are
 * ignored or handled stay so.  prof(1) calls this once; other tools leave the
 * file.
 */
void output_unlink_on_signal(void);

/*
 * Writes what a stream still holds.  Returns 0; or the errno, not negated, of
 * this write or of an earlier one, as far as it is known, else EIO.
 */
int output_flush(FILE *out);

/*
 * Opens an output file; NULL or "-": standard output, also if `path` is the
 * same regular file.  A file that is a profile is refused.  `path` must last
 * until the end.  Returns 0, or -errno with *f set and nothing to end.  The
 * caller ends a success with output_close() or output_abandon().
 */
int output_open(struct output *o, const char *path, struct fault *f);

/*
 * Opens an output file that replaces the existing file `path`, which may be a
 * profile.  The new file is on the disk before the old one goes.  Returns as
 * output_open().
 */
int output_replace(struct output *o, const char *path, struct fault *f);

/*
 * Opens an output file like output_open(); a file that is not written in place
 * gets mode 0600.
 */
int output_open_private(struct output *o, const char *path, struct fault *f);

/*
 * Finishes the output: writes everything and renames the file.  Standard output
 * is flushed and stays open.  Returns 0, or -errno with *f set; then no new
 * file is left, but a file that was written in place stays as it is.
 */
int output_close(struct output *o, struct fault *f);

/*
 * Closes the output, unless it is standard output, and removes the unfinished
 * file.  A file that was written in place stays as it is.
 */
void output_abandon(struct output *o);

#endif
