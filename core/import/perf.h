/* Context: O.  The lines of perf script. */
#ifndef PERF_H
#define PERF_H

#include "import.h"

/* The first line of a sample. */
struct perf_head {
	struct text comm;	/* can be empty */
	struct text event;	/* at NULL: the line names none */
	struct text rest;	/* behind the event, or where it would be ... */
	size_t blanks;		/* ... and how many blanks stand before it */
	int32_t pid, tid;	/* IMPORT_NOBODY = not known */
	uint64_t period;
	bool has_pid, has_period, has_time;
	bool other;		/* it is a record of something else */
};

/* The fields that a line of a frame has. */
enum perf_fields { PERF_ADDRESS = 1, PERF_NAME = 2, PERF_MODULE = 4 };

/* Split such a line from the right.  False: it is none. */
bool perf_head(struct text line, struct perf_head *h);

/*
 * Split the line of a frame: "ADDRESS NAME (MODULE)", or some of the three.
 * Returns those that are there, 0: it is none.
 */
unsigned perf_frame(struct text line, struct import_frame *to);

/*
 * The frame of a sample without callers, which ends the line of the sample:
 * other addresses can stand before it, not behind it.  `blanks` is how many
 * stand before `rest`.  As perf_frame(), with an address in any case.
 */
unsigned perf_only(struct text rest, size_t blanks, struct import_frame *to);

/*
 * "file.c:12", of the frame above it; "module[address]" and "??:?" tell
 * nothing.  False: it is none of them.
 */
bool perf_line(struct text line, struct import_frame *to);

#endif
