/* Context: O.  Files of other profilers of today: which it is, what it has. */
#ifndef IMPORT_H
#define IMPORT_H

#include "fault.h"
#include "formats.h"
#include "text.h"

#define IMPORT_NOWHERE	UINT64_MAX	/* an address that is not told */
#define IMPORT_NOBODY	(-1)		/* a process that is not told */

/* All texts are borrowed, and stay until import_close(). */
struct import_module {
	struct text path;
	struct text build_id;	/* in hex */
	/* Where a run had it; end 0 = not told, then an address is any. */
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	uint64_t head;		/* where the file's first page was, 0 not told */
};

struct import_frame {
	struct import_module module;
	struct text name;	/* as stored; at NULL: the file has none */
	struct text home;	/* file that tells it from others of its name
				   in the module; most formats tell none */
	struct text file;
	uint32_t line;		/* 0 = not told */
	bool inlined;		/* in the next one */
	uint64_t address;	/* of an instruction; in callers of a call */
	uint64_t offset;	/* from the start of the function */
};

struct import_sample {
	const struct import_frame *frames;	/* the innermost first */
	size_t depth;		/* 0 = nobody knows where */
	uint64_t count;		/* 0 = how many samples it is is not told */
	uint64_t value;		/* of them all, in the unit of the file */
	struct text program, thread;
	int32_t pid, tid;	/* IMPORT_NOBODY = not told */
};

/* Calls from one place to a function, with all that was done in them. */
struct import_call {
	struct import_frame from, self;
	uint64_t count;
	uint64_t value;
};

/* A return other than 0 ends the reading with it. */
struct import_sink {
	void *arg;
	int (*sample)(void *arg, const struct import_sample *s);
	int (*call)(void *arg, const struct import_call *c);
};

struct import {
	enum import_format format;
	const unsigned char *bytes;	/* the caller's ... */
	size_t size;
	unsigned char *inflated;	/* ... or these */
	struct text choice;	/* of what there is; at NULL = the first */

	/* What import_read() finds. */
	struct text unit;	/* what a value is; at NULL = not told */
	uint64_t each_ns;	/* as much time it is; 0 = it is no time */
	bool asleep;		/* that time was slept */
	bool moduleless;	/* no modules are told */
	uint64_t others;	/* samples of what was not chosen */
};

#define IMPORT_OTHER 1		/* none of them */

/*
 * Recognise, or take what was asked for (other than IMPORT_NONE).  0,
 * IMPORT_OTHER, or -errno with *f set.  import_close() in any case.
 */
int import_open(struct import *x, const void *bytes, size_t size,
    enum import_format asked, struct fault *f);

/*
 * Hand out what is there.  0, what the sink returned, or -errno with *f set.
 * What it has given until then may be of a file that is damaged further down.
 */
int import_read(struct import *x, const struct import_sink *sink,
    struct fault *f);

void import_close(struct import *x);

/* Of a format: does it begin so, and its reader. */
typedef bool import_is(const struct import *x);
typedef int import_reader(struct import *x, const struct import_sink *sink,
    struct fault *f);

import_is folded_is, perf_is, callgrind_is, gperftools_is, pprof_is;
import_reader folded_read, perf_read, callgrind_read, gperftools_read,
    pprof_read;

static inline struct text_lines
import_lines(const struct import *x)
{
	return (struct text_lines) {
		.rest = { (const char *)x->bytes, x->size },
	};
}

static inline struct import_frame
import_nowhere(void)
{
	return (struct import_frame) {
		.address = IMPORT_NOWHERE, .offset = IMPORT_NOWHERE,
	};
}

#endif
