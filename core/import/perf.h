/* Context: O.  The lines of perf script. */
#ifndef PERF_H
#define PERF_H

#include "import.h"

/* The first line of a sample. */
struct perf_head {
	struct text comm;	/* can be empty */
	struct text event;	/* `at` is NULL if the line names none */
	struct text rest;	/* the text after the event, or in its place */
	size_t blanks;		/* number of blanks before `rest` */
	int32_t pid, tid;	/* IMPORT_NOBODY = not known */
	uint64_t period;
	bool has_pid, has_period, has_time;
	bool other;		/* it is another kind of record */
};

/* The fields that a line of a frame has. */
enum perf_fields { PERF_ADDRESS = 1, PERF_NAME = 2, PERF_MODULE = 4 };

/*
 * Splits the line of a sample from the right.  below: the line after it, at NULL
 * if there is none; a thread and an event alone are a sample only if a frame
 * follows.  Returns false if it is no sample.
 */
bool perf_head(struct text line, struct text below, struct perf_head *h);

/*
 * Splits the line of a frame, "ADDRESS NAME (MODULE)" or some of the three.
 * Returns which fields there are (enum perf_fields), 0 if it is no frame.
 */
unsigned perf_frame(struct text line, struct import_frame *to);

/*
 * Splits off the frame of a sample without callers, which ends the line of the
 * sample.  Other addresses can precede it but not follow it.  blanks: how many
 * precede `rest`.  Returns as perf_frame() does; there is always an address.
 */
unsigned perf_only(struct text rest, size_t blanks, struct import_frame *to);

/*
 * Reads a line such as "file.c:12", which belongs to the frame above it;
 * "module[address]" and "??:?" give no place.  Returns false if it is none of
 * them.
 */
bool perf_line(struct text line, struct import_frame *to);

#endif
