/*
 * Context: P.  Reads the files of classic profilers: classic_open() finds which
 * format a file has and checks all of it, classic_read() hands its histogram,
 * calls and modules to a sink.  read/read_classic.c of the model and the
 * classic listing read with it; the second half of this header is for the
 * readers of the formats alone.
 */
#ifndef CLASSIC_H
#define CLASSIC_H

#include "bytes.h"
#include "fault.h"

/* Formats of classic files. */
enum classic_kind {
	CLASSIC_GMON,		/* gmon.out of GNU */
	CLASSIC_SPROF,		/* NAME.profile, written by LD_PROFILE */
	CLASSIC_PROF,		/* mon.out of Solaris, versioned */
	CLASSIC_BSD,		/* gmon.out of 4.4BSD */
	/* gmon.out from before 4.4BSD, without a rate */
	CLASSIC_BSD_OLD,
	CLASSIC_MONOUT,		/* mon.out of SVR4 and before */
	CLASSIC_KINDS,
};

/*
 * Properties of the program that wrote a file; most formats do not store them.
 */
struct classic_program {
	bool wide;		/* addresses and longs have 64 bits */
	bool big;		/* big-endian */
	uint64_t low, high;	/* bounds of its code, as far as known */
};

/* An open classic file. */
struct classic {
	struct bytes bytes;	/* the part of the file that is whole */
	enum classic_kind kind;
	bool wide;
	uint64_t low, high;	/* bounds of the program's code */
	/*
	 * The fault after `bytes`, which end before it; damage.what is NULL if
	 * the whole file is good.
	 */
	struct fault damage;
};

/* Histogram counts for the addresses in [low, high), which is not empty. */
struct classic_bin {
	uint64_t low, high;
	uint64_t count;
	uint64_t offset;	/* place of the bin in the file */
	uint32_t rate;		/* counts a second; 0: the file does not say */
};

/*
 * Calls from one place to one function.  `from` and `self` are addresses as
 * classic profilers look them up: `from` is not a return address.
 */
struct classic_arc {
	uint64_t from, self;
	uint64_t count;
	uint64_t offset;
	bool caller;		/* true if `from` is known */
	bool outside;		/* true if `from` is in another object */
	bool elsewhere;		/* true if `self` is in another object */
};

/*
 * An object that was mapped while the program ran.  Only versioned files list
 * modules, and their addresses are run-time addresses.  A bin or arc belongs to
 * a module that was handed out before it; where two modules overlap, to the
 * later one.
 */
struct classic_module {
	uint64_t start, end;
	const char *path;	/* borrowed from the bytes of the file */
	size_t path_bytes;
};

/*
 * Callbacks of classic_read(), called with `arg`.  A result other than 0 ends
 * the reading and becomes the result of classic_read().
 */
struct classic_sink {
	void *arg;
	int (*bin)(void *arg, const struct classic_bin *bin);
	int (*arc)(void *arg, const struct classic_arc *arc);
	int (*module)(void *arg, const struct classic_module *module);
};

/* Result of classic_open() for a file of no known format. */
#define CLASSIC_OTHER 1

/*
 * Recognises the format of a file and checks all of it.  If several layouts fit
 * and the format has no magic number, the layout of the program is taken;
 * *program must be set, with zeros for what is not known.  A gmon.out or
 * versioned mon.out that is damaged or cut short ends before that place, if one
 * of its records is whole; then c->damage says what is wrong.  Returns 0,
 * CLASSIC_OTHER, or -EINVAL with *f set.  The caller still owns the bytes, and
 * keeps them while it uses *c.
 */
int classic_open(struct classic *c, const void *bytes, size_t size,
    const struct classic_program *program, struct fault *f);

/*
 * Hands all that the file counts to `sink`, as often as the caller wants.  *c:
 * as classic_open() has set it.  Returns 0, the result with which the sink
 * ended the reading, or -EINVAL with *f set.
 */
int classic_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f);

/* Returns the name of a format for users, such as "gmon.out (GNU)". */
const char *classic_name(enum classic_kind kind);

/*
 * The functions that the file of each format has.  A classic_is returns whether
 * the file has this format's layout or, as _is_cut of a format without a magic
 * number, begins as one of the program's and is cut short.  A classic_reader
 * works as classic_read(); with a sink of NULL it only checks the file.
 */
typedef bool classic_is(const struct classic *c);
typedef int classic_reader(const struct classic *c,
    const struct classic_sink *sink, struct fault *f);

/*
 * Returns the number of bytes up to the end of the last whole record, or 0 if
 * no record is whole.
 */
typedef uint64_t classic_whole(const struct classic *c);

/* A histogram of 16-bit bins, one behind another, that cover [low, high). */
struct classic_range {
	uint64_t low, high;
	uint64_t bins;
	uint64_t offset;	/* of the first bin in the file */
	uint32_t rate;
	/*
	 * Scale that profil(2) was given; 0: the bins are equal parts of the
	 * range.
	 */
	uint32_t scale;
};

/*
 * Returns the lowest address of bin `i`; with i = bins, the end of the last
 * bin.  No bin is empty.
 */
static inline uint64_t
classic_bound(const struct classic_range *r, uint64_t i)
{
	uint64_t span = r->high - r->low;

	/*
	 * The first address for which bins_slot() in bins.h returns i or more.
	 */
	if (r->scale != 0)
		return r->low + 2 * ((i * 65536 + r->scale - 1) / r->scale);
	return r->low + span / r->bins * i + span % r->bins * i / r->bins;
}

/*
 * Checks that the range is not empty, that each bin covers at least one byte
 * and that all bins lie in the file.  `header` is the offset that a fault
 * names.  Returns 0, or -EINVAL with *f set.
 */
int classic_range_check(const struct classic *c, const struct classic_range *r,
    uint64_t header, struct fault *f);
/*
 * Hands the bins of `r` that are not 0 to the sink.  Returns 0, or the result
 * with which the sink ended the reading.
 */
int classic_range_read(const struct classic *c, const struct classic_range *r,
    const struct classic_sink *sink);

/*
 * Returns whether the range is one of the program: in a file of the format, and
 * in its layout, it nearly always is, and in another one hardly ever.
 */
static inline bool
classic_range_is_of_program(const struct classic *c,
    const struct classic_range *r)
{
	return r->low < r->high && r->low < c->high && r->high > c->low;
}

/* Returns the bytes of an address in the file. */
static inline unsigned
classic_width(const struct classic *c)
{
	return c->wide ? 8 : 4;
}

#endif
