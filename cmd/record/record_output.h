/*
 * Context: O.  Prepares the place where prof record writes profiles.
 * prof_record.c opens it before the command runs, and settles and closes it
 * afterwards; record_summary.c lists what is in it.
 */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include "fault.h"
#include "input.h"

#include <stdbool.h>

/* The place of the profiles. */
struct record_output {
	const char *name;	/* as the user wrote it */
	char *path;		/* absolute path of the directory; allocated */
	bool made;		/* the directory was made for this run */
	bool may_be_file;	/* a file may take its place: see below */
	struct input before;	/* files that were there before the run */
};

/*
 * Prepares the directory that `wanted` names; NULL: mon.out.d.  A directory
 * that was named and exists is used as it is; one that is missing is made.  A
 * mon.out.d that was not named, or a profile of the name `wanted`, is first
 * renamed to NAME.old.  Its predecessor there is removed.  Refuses a mon.out.d
 * or mon.out.d.old that holds anything but profiles of ended processes, and a
 * directory to which another prof record writes.  Returns 0, or -errno with *f
 * set; a directory or profile that was renamed before the failure stays so.
 * The caller calls record_output_close() in any case.  `wanted` is borrowed
 * until then.
 */
int record_output_open(struct record_output *o, const char *wanted,
    struct fault *f);

/*
 * Puts the only profile of the run in the place of the directory, if `wanted`
 * was the name of a file.  Call it once the command has ended.  Does nothing if
 * there are more profiles, if the process still runs, or if the directory was
 * there before; the profile stays where it is, too, if a system call fails.
 */
void record_output_settle(struct record_output *o);

/*
 * Lists the files of the run in *in, which the caller frees in any case: not
 * those that were there before.  Returns 0, or -errno with *f set.
 */
int record_output_list(const struct record_output *o, struct input *in,
    struct fault *f);

/* Frees *o.  Removes the directory if it was made for this run and is empty. */
void record_output_close(struct record_output *o);

#endif
