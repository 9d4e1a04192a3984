/*
 * Context: O.  The input of a model: files of other profilers, and what was
 * lost or left out.  The readers write it; the footers print it.
 */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "classic/classic.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Sums over files of classic profilers that have the same format, word size,
 * byte order and rate.
 */
struct model_classic {
	enum classic_kind kind;
	bool wide, big;
	/* histogram counts per second; 0 = the file does not say */
	uint32_t rate;
	uint64_t files, ticks, calls;
};

/*
 * Sums over files of other current profilers that have the same format, unit,
 * each_ns and timed.
 */
struct model_import {
	const char *format;	/* import_format_title() */
	const char *unit;	/* NULL = the file does not say */
	/* time that one unit of a value is taken as, ns */
	uint64_t each_ns;
	bool timed;		/* values are times */
	/*
	 * some value was below zero; then `value` is the sum with all signs, as
	 * an int64_t
	 */
	bool below;
	/* `others`: samples of other events, left out */
	uint64_t files, samples, value, calls, others;
	uint64_t rounded;	/* numbers whose last digits were dropped */
};

/* Damaged records of a file, which were left out. */
struct model_skipped {
	const char *file;
	const char *unit;	/* noun for `count`: "line" or "record" */
	uint64_t count;
	const char *what;	/* fault of the first one */
	uint64_t first;		/* line or offset of the first one */
	/*
	 * `first` is a line; otherwise FAULT_NO_OFFSET in `first` means that
	 * the offset is not known
	 */
	bool is_line;
};

/* Time of a row or a path whose sum was below zero, and which was removed. */
struct model_negative {
	uint32_t row;		/* MODEL_NONE = a path was removed */
	uint32_t function;	/* innermost function of that path */
	uint64_t ns;		/* amount without its sign */
};

/*
 * One tprof.out, for the footer.  Texts that the file does not have are NULL.
 */
struct model_tprof {
	const char *backend, *scope, *processes, *command, *host, *hz, *event;
	const char *beside;	/* names of its other events */
	/* time that one unit of the event is taken as, ns */
	uint64_t each_ns;
	/* first and last sample, ns since 1970; 0 = not known */
	uint64_t first_real, last_real;
	bool timed;		/* the unit of the event is time */
	/* `others`: samples of other events, left out */
	uint64_t samples, value, others;
	bool cut;		/* truncated */
	bool bare;	/* the file has samples only, as NetBSD writes them */
};

/* Lost samples that a tprof.out reports. */
struct model_loss {
	const char *how;	/* reason; from model_intern() */
	uint64_t samples;
};

#endif
