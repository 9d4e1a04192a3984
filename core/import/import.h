/* Context: O.  Files of other profilers of today: which it is, what it has. */
#ifndef IMPORT_H
#define IMPORT_H

#include "fault.h"
#include "import_format.h"
#include "text.h"

/* An address that is not told */
#define IMPORT_NO_ADDRESS	UINT64_MAX
#define IMPORT_NO_PID	(-1)		/* a process that is not told */

/* All texts are borrowed, and stay until import_close(). */
struct import_module {
	struct text path;
	struct text build_id;	/* in hex */
	/* Where a run had it; end 0 = not told, then an address is any. */
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	/* where the file's first page was, 0 not told */
	uint64_t head;
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
	int64_t count;		/* number of samples; 0 = not told; below 0
				   in a difference, as the value */
	int64_t value;		/* of them all, in the unit of the file */
	struct text program, thread;
	int32_t pid, tid;	/* IMPORT_NO_PID = not told */
};

/* Calls from one place to a function, with all that was done in them. */
struct import_call {
	struct import_frame from, self;
	uint64_t count;
	int64_t value;
};

/*
 * A return value other than 0 ends the reading and is its result.  A sink that
 * cannot take one record calls import_skip() and returns 0.
 */
struct import_sink {
	void *arg;
	int (*sample)(void *arg, const struct import_sample *s);
	int (*call)(void *arg, const struct import_call *c);
};

/* The records of a file that could not be read and were left out. */
struct import_skipped {
	const char *what;	/* the fault of the first one; static text */
	uint64_t first;		/* the line or the offset of the first one */
	uint64_t count;
};

struct import {
	enum import_format format;
	const unsigned char *bytes;	/* the caller's, or `inflated` */
	size_t size;
	unsigned char *inflated;	/* owned, or NULL; whole, unless
					   `damaged` says why not */
	const char *damaged;
	struct text choice;	/* of what there is; at NULL = the first */

	/* What import_read() finds. */
	struct text unit;	/* what a value is; at NULL = not told */
	uint64_t each_ns;	/* as much time it is; 0 = it is no time */
	bool asleep;		/* that time was slept */
	bool moduleless;	/* no modules are told */
	uint64_t others;	/* samples of what was not chosen */
	uint64_t taken;		/* records of the file that were right */
	uint64_t rounded;	/* numbers with more digits than are kept */
	struct import_skipped skipped;
	uint64_t line;		/* the current line; 0 = the file is no text */
	uint64_t offset;	/* the current offset, if the file is no text */
};

#define IMPORT_OTHER 1		/* none of them */

/*
 * Recognise, or take what was asked for (other than IMPORT_NONE).  0,
 * IMPORT_OTHER, or -errno with *f set.  import_close() in any case.
 */
int import_open(struct import *x, const void *bytes, size_t size,
    enum import_format asked, struct fault *f);

/*
 * Reads the file and hands its records to the sink.  Records that are wrong are
 * left out and counted in `skipped`.  Returns 0, what the sink returned, or
 * -errno with *f set: the file as a whole is not of that format, or hardly a
 * record of it is right.  After an error the caller must discard what was
 * handed out.
 */
int import_read(struct import *x, const struct import_sink *sink,
    struct fault *f);

void import_close(struct import *x);

/* Counts the current record as one that is left out.  what: static text. */
void import_skip(struct import *x, const char *what);

/* Of a format: does it begin so, and its reader. */
typedef bool import_is(const struct import *x);
typedef int import_reader(struct import *x, const struct import_sink *sink,
    struct fault *f);

import_is folded_is, perf_script_is, callgrind_is, gperftools_is, pprof_is;
import_reader folded_read, perf_script_read, callgrind_read, gperftools_read,
    pprof_read;

/*
 * Returns the lines of the file.  If compressed data are damaged, the last line
 * is not whole and is left out.
 */
static inline struct text_lines
import_lines(const struct import *x)
{
	struct text all = { (const char *)x->bytes, x->size };

	while (x->damaged != NULL && all.bytes != 0 &&
	    all.at[all.bytes - 1] != '\n')
		all.bytes--;
	return (struct text_lines) { .rest = all };
}

static inline struct import_frame
import_unknown_frame(void)
{
	return (struct import_frame) {
		.address = IMPORT_NO_ADDRESS, .offset = IMPORT_NO_ADDRESS,
	};
}

#endif
