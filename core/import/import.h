/*
 * Context: O.  Reads the files of other profilers of today: import_open() finds
 * the format, import_read() hands the records to a sink.  For
 * core/model/foreign/read_import.c; the readers of the formats, which are in
 * this folder, share the parts from import_skip() on.  The bytes of the file
 * are the caller's and are not trusted.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "fault.h"
#include "import_format.h"
#include "base/text.h"

/* Value of an address that the file does not give. */
#define IMPORT_NO_ADDRESS	UINT64_MAX
/* Process or thread id that the file does not give */
#define IMPORT_NO_PID	(-1)

/*
 * A module of a frame.  All texts are borrowed from the bytes of the file and
 * stay valid until import_close().
 */
struct import_module {
	struct text path;
	struct text build_id;	/* in hex */
	/*
	 * Its place in memory; with end 0 it is not known, and addresses may be
	 * link-time or run-time ones.
	 */
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	/* Address of the file's first page, 0: not known */
	uint64_t head;
};

/* A function call in progress. */
struct import_frame {
	struct import_module module;
	struct text name;	/* as stored; at NULL: the file has none */
	/*
	 * A file that distinguishes the function from others of its name in the
	 * module; most formats have none.
	 */
	struct text home;
	struct text file;	/* source file */
	uint32_t line;		/* source line; 0: not known */
	bool inlined;		/* true if inlined in the next frame */
	/* Address of an instruction; in callers, of the call */
	uint64_t address;
	/*
	 * distance from the start of the function; IMPORT_NO_ADDRESS: not known
	 */
	uint64_t offset;
};

/* A sample, or the sum of several with one stack. */
struct import_sample {
	const struct import_frame *frames;	/* innermost first */
	size_t depth;		/* 0: the place is not known */
	/*
	 * Number of samples, 0: not known; negative in a difference, as the
	 * value
	 */
	int64_t count;
	/* Value of all of them, in the unit of the file */
	int64_t value;
	struct text program, thread;
	int32_t pid, tid;	/* IMPORT_NO_PID: not known */
};

/* Calls from one place to one function. */
struct import_call {
	struct import_frame from, self;
	uint64_t count;
	int64_t value;		/* time or counts of all that the calls did */
};

/*
 * Callbacks of import_read(), called with `arg`; their arguments are valid
 * during the call.  A result other than 0 ends the reading and is its result.
 * A sink that cannot take a record calls import_skip() and returns 0.  `call`
 * is called for callgrind.out only.
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

/* A file that is being read. */
struct import {
	enum import_format format;
	const unsigned char *bytes;	/* the caller's bytes, or `inflated` */
	size_t size;
	/*
	 * Decompressed bytes, owned, or NULL; they are all of the data unless
	 * `damaged` says why not.
	 */
	unsigned char *inflated;
	const char *damaged;	/* static text, or NULL */
	/*
	 * Name of the event or value to read, set by the caller after
	 * import_open(); at NULL: the first or default one.  The reader of perf
	 * script sets it to the first event then.
	 */
	struct text choice;

	/* Set by import_read(): */
	struct text unit;	/* unit of a value; at NULL: not known */
	/* Time in ns that a value of 1 stands for; 0: the value is no time */
	uint64_t each_ns;
	bool asleep;		/* true if the time was spent asleep */
	bool moduleless;	/* true if the file names no modules */
	uint64_t others;	/* samples of events that were not chosen */
	uint64_t taken;		/* records that were right */
	uint64_t rounded;	/* numbers with more digits than are kept */
	struct import_skipped skipped;
	uint64_t line;		/* the current line; 0: the file is no text */
	uint64_t offset;	/* the current offset, if the file is no text */
};

/* Result of import_open() for a file of none of the formats. */
#define IMPORT_OTHER 1

/*
 * Opens the bytes of a file, which stay the caller's and must last until
 * import_close(): decompresses them and finds the format, or takes `asked` if
 * that is not IMPORT_NONE.  `asked` must not be IMPORT_TPROF.  Returns 0,
 * IMPORT_OTHER, or -errno with *f set.  import_close() must be called in any
 * case.
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

/*
 * Frees what import_open() allocated.  Texts that the sink got are not valid
 * from now on.
 */
void import_close(struct import *x);

/*
 * Counts the record at x->line or x->offset as one that is left out.  `what` is
 * a static text that says why; that of the first record is kept.
 */
void import_skip(struct import *x, const char *what);

/*
 * The functions of one format, for import.c.  An import_is returns whether the
 * file looks like one of the format; an import_reader works as import_read()
 * and sets the fields of *x from `unit` on.
 */
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

/* Returns a frame of which nothing is known. */
static inline struct import_frame
import_unknown_frame(void)
{
	return (struct import_frame) {
		.address = IMPORT_NO_ADDRESS, .offset = IMPORT_NO_ADDRESS,
	};
}

#endif
