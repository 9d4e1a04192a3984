/* Context: P.  Files of the classic profilers: which it is, what it counts. */
#ifndef CLASSIC_H
#define CLASSIC_H

#include "bytes.h"
#include "fault.h"

enum classic_kind {
	CLASSIC_GMON,		/* gmon.out, GNU */
	CLASSIC_SPROF,		/* NAME.profile, of LD_PROFILE */
	CLASSIC_PROF,		/* mon.out, versioned */
	CLASSIC_BSD,		/* gmon.out, 4.4BSD */
	CLASSIC_BSD_OLD,	/* the same before it had a rate */
	CLASSIC_MONOUT,		/* mon.out, SVR4 and before */
	CLASSIC_KINDS,
};

/* What the files do not say, most of them: of the program that they are of. */
struct classic_program {
	bool wide;		/* addresses and longs of 64 bits */
	bool big;
	uint64_t low, high;	/* of its code, as far as known */
};

struct classic {
	struct bytes bytes;
	enum classic_kind kind;
	bool wide;
	uint64_t low, high;	/* of the program's code */
	struct fault damage;	/* what is wrong after `bytes`, which were
				   cut there; `what` is NULL if nothing is */
};

/* Ticks in [low, high); never none. */
struct classic_bin {
	uint64_t low, high;
	uint64_t count;
	uint64_t offset;	/* of it in the file */
	uint32_t rate;		/* ticks a second, 0 = the file does not say */
};

/* Calls; addresses as classic profilers look them up: no return address. */
struct classic_arc {
	uint64_t from, self;
	uint64_t count;
	uint64_t offset;
	bool caller;		/* is there a `from` at all? */
	bool outside;		/* ... but in another object */
};

/*
 * Only versioned files list them, and their addresses are those of a run.  What
 * is handed out is of the modules before it; where two overlap, of the later.
 */
struct classic_module {
	uint64_t start, end;
	const char *path;	/* borrowed from the bytes */
	size_t path_bytes;
};

/* A return other than 0 ends the reading with it. */
struct classic_sink {
	void *arg;
	int (*bin)(void *arg, const struct classic_bin *bin);
	int (*arc)(void *arg, const struct classic_arc *arc);
	int (*module)(void *arg, const struct classic_module *module);
};

#define CLASSIC_OTHER 1		/* none of them */

/*
 * Recognises the format of a file and checks all of it.  If several layouts fit
 * and the format has no magic number, the layout of the program is taken.  A
 * gmon.out or versioned mon.out that is damaged or cut short ends before that
 * place, if one of its records is whole; then c->damage says what is wrong.
 * Returns 0, CLASSIC_OTHER, or -EINVAL with *f set.  The caller still owns the
 * bytes.
 */
int classic_open(struct classic *c, const void *bytes, size_t size,
    const struct classic_program *program, struct fault *f);

/* Hand out what is counted.  0, what the sink returned, or -EINVAL. */
int classic_read(const struct classic *c, const struct classic_sink *sink,
    struct fault *f);

/* "gmon.out (GNU)" */
const char *classic_name(enum classic_kind kind);

/* One file a format has the two of each kind; a sink of NULL only checks. */
typedef bool classic_is(const struct classic *c);
typedef int classic_reader(const struct classic *c,
    const struct classic_sink *sink, struct fault *f);

/*
 * Returns the bytes up to the end of the last whole record, or 0 if there is
 * none.
 */
typedef uint64_t classic_whole(const struct classic *c);

/* Of classic files that hold 16-bit bins of equal size, all of one range. */
struct classic_range {
	uint64_t low, high;
	uint64_t bins;
	uint64_t offset;	/* of the first bin */
	uint32_t rate;
	uint32_t scale;		/* that profil(2) had; 0 = equal parts */
};

/* The bounds of bin `i`, or of all with i = bins: no bin is empty. */
static inline uint64_t
classic_bound(const struct classic_range *r, uint64_t i)
{
	uint64_t span = r->high - r->low;

	/* The first address of which bins_slot() of bins.h says i or more. */
	if (r->scale != 0)
		return r->low + 2 * ((i * 65536 + r->scale - 1) / r->scale);
	return r->low + span / r->bins * i + span % r->bins * i / r->bins;
}

/* Is it a range with bins of a byte at least, all in the file? */
int classic_range_check(const struct classic *c, const struct classic_range *r,
    uint64_t header, struct fault *f);
int classic_range_read(const struct classic *c, const struct classic_range *r,
    const struct classic_sink *sink);

static inline unsigned
classic_width(const struct classic *c)
{
	return c->wide ? 8 : 4;
}

#endif
