/*
 * Context: O.  Parses the lines of perf script; used by its reader
 * (perf_script.c).
 */
#ifndef PERF_SCRIPT_LINE_H
#define PERF_SCRIPT_LINE_H

#include "import.h"

/* The first line of a sample. */
struct perf_script_line_head {
	struct text comm;	/* can be empty */
	struct text event;	/* `at` is NULL if the line names none */
	struct text rest;	/* the text after the event, or in its place */
	size_t blanks;		/* number of blanks before `rest` */
	int32_t pid, tid;	/* IMPORT_NO_PID = not known */
	uint64_t period;
	bool has_pid, has_period, has_time;
	bool other;		/* true if it is another kind of record */
};

/* The fields that a line of a frame has. */
enum perf_script_fields { PERF_SCRIPT_ADDRESS = 1, PERF_SCRIPT_NAME = 2,
    PERF_SCRIPT_MODULE = 4 };

/*
 * Splits the line of a sample from the right.  below: the line after it, at
 * NULL if there is none; a thread and an event alone are a sample only if a
 * frame follows.  Returns false if it is no sample.
 */
bool perf_script_line_head(struct text line, struct text below,
    struct perf_script_line_head *h);

/*
 * Splits the line of a frame, "ADDRESS NAME (MODULE)" or some of the three.
 * Returns which fields there are (enum perf_script_fields), 0 if it is no
 * frame.
 */
unsigned perf_script_line_frame(struct text line, struct import_frame *to);

/*
 * Splits off the frame of a sample without callers, which ends the line of the
 * sample.  Other addresses can precede it but not follow it.  blanks: how many
 * precede `rest`.  Returns as perf_script_line_frame() does; there is always an
 * address.
 */
unsigned perf_script_line_only(struct text rest, size_t blanks,
    struct import_frame *to);

/*
 * Reads a line such as "file.c:12", which belongs to the frame above it;
 * "module[address]" and "??:?" give no place.  Returns false if it is none of
 * them.
 */
bool perf_script_source_line(struct text line, struct import_frame *to);

#endif
