/*
 * Context: O.  Parses the first line of a sample in perf script; used by the
 * reader (perf_script.c).
 */
#ifndef PERF_SCRIPT_HEAD_H
#define PERF_SCRIPT_HEAD_H

#include "import.h"

/* The first line of a sample. */
struct perf_script_head {
	struct text comm;	/* can be empty */
	struct text event;	/* `at` is NULL if the line names none */
	struct text rest;	/* the text after the event, or in its place */
	size_t blanks;		/* number of blanks before `rest` */
	int32_t pid, tid;	/* IMPORT_NO_PID = not known */
	uint64_t period;
	bool has_pid, has_period, has_time;
	bool padded_period;	/* the period is in its column */
	bool other;		/* true if it is another kind of record */
};

/*
 * Splits the first line of a sample into *h, whose texts lie in the line.
 * below: the line after it, at NULL if there is none; a thread and an event
 * alone are a sample only if a frame follows.  Returns false if it is neither a
 * sample nor another record (h->other).
 */
bool perf_script_head_parse(struct text line, struct text below,
    struct perf_script_head *h);

/*
 * Returns whether a line that begins with '#' is a comment.  It is the first
 * line of a sample if it has time and event, as that of a thread "#io" has.
 * below: the line after it.
 */
bool perf_script_head_is_comment(struct text line, struct text below);

#endif
