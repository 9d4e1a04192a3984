/*
 * Context: P.  Layout, reader and writer of tprof.out: records of 24 bytes.
 * doc/format.md explains the format.  core/sampler/tprof_writer.c writes the
 * file; the model (foreign/read_tprof.c) and view/report/tprof_info.c read it.
 */
#ifndef TPROF_H
#define TPROF_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A sample.  The file is a little-endian stream that can be cut anywhere, as
 * every record comes after those that it refers to.  A sample is the record of
 * NetBSD, so that a program that reads the file with NetBSD's struct gets the
 * samples; everything else is a note, which has a flag of its own.
 */
struct tprof_record {
	uint32_t pid;
	uint32_t lwp;
	uint32_t cpu;		/* or TPROF_CPU_UNKNOWN */
	/* TPROF_F_*; bits 31 to 24: number of the event */
	uint32_t flags;
	uint64_t pc;
};

/*
 * A note: a record with TPROF_F_NOTE set; bits 31 to 24 of `flags` are its
 * kind.
 */
struct tprof_note {
	uint32_t a, b, c;
	uint32_t flags;
	uint64_t d;
};

#define TPROF_RECORD	24u
#define TPROF_F_KERNEL	1u	/* the pc is an address of the kernel */
#define TPROF_F_NOTE	2u	/* the record is a note, not a sample */
#define TPROF_F_CALLER	4u	/* of a node: the address is behind a call */
/* node flag: no more callers are known; d is an enum format_cut */
#define TPROF_F_CUT	8u
#define TPROF_KIND_SHIFT 24
#define TPROF_EVENTS	256u	/* at most */
#define TPROF_CPU_UNKNOWN UINT32_MAX

#define TPROF_MAGIC	0x464f5254u	/* "TROF", as bytes of the file */
#define TPROF_VERSION	1u
#define TPROF_TEXT_MAX	65536u		/* most bytes of a text */
#define TPROF_TEXT_EACH	20u		/* bytes of a text in one record */

/*
 * Kinds of notes.  A note with a text has the bytes of the text in c; the
 * TPROF_N_TEXT notes with the bytes, in a, b, c and d, follow at once.
 */
enum tprof_kind {
	/*
	 * The first note: a magic, b version, d real time of CLOCK_MONOTONIC 0
	 * in ns; text: lines KEY=VALUE.
	 */
	TPROF_N_HEAD = 1,
	TPROF_N_TEXT = 2,
	/*
	 * An event: a number, b 1 if it counts ns, d period, 0 if the period
	 * varies; text: name.
	 */
	TPROF_N_EVENT = 3,
	/*
	 * A process: a pid, b user, d start in real time or 0; text: program.
	 */
	TPROF_N_PROCESS = 4,
	TPROF_N_THREAD = 5,	/* a thread: a pid, b tid; text: name */
	/*
	 * A module: a number, counted from 1, b TPROF_M_*, d address less
	 * offset in the file; text: see tprof_module.
	 */
	TPROF_N_MODULE = 6,
	/*
	 * A node of a call tree, numbered from 1: a caller's node, 0 none; b
	 * module, 0 for an absolute address of process c; d address;
	 * TPROF_F_KERNEL, _CALLER, _CUT.
	 */
	TPROF_N_NODE = 7,
	/*
	 * Place of the sample before it: a node, b and c weight (low, high
	 * half), d CLOCK_MONOTONIC in ns, 0 if not known.
	 */
	TPROF_N_PLACE = 8,
	/* A kernel function: d start, b bytes; text: name. */
	TPROF_N_NAME = 9,
	TPROF_N_STAT = 10,	/* a statistic: a enum tprof_stat, d value */
	TPROF_N_COUNT = 11,	/* total of a event on b CPU: d count */
	TPROF_N_END = 12,	/* the end: a exit status, d CLOCK_MONOTONIC */
	TPROF_N_LOSS = 13,	/* d samples lost in another way; text: how */
};

/* The six statistics of tprof(8). */
enum tprof_stat {
	TPROF_S_SAMPLE,
	TPROF_S_OVERFLOW,
	TPROF_S_BUF,
	TPROF_S_EMPTYBUF,
	TPROF_S_DROPBUF,
	TPROF_S_DROPBUF_SAMPLES,
	TPROF_STATS,
};

/* Flags of a module. */
#define TPROF_M_VDSO	1u
#define TPROF_M_BIASED	2u	/* d of TPROF_N_MODULE is known */
/* A name without a file, "[heap]" or "//anon" */
#define TPROF_M_NO_FILE	4u

/*
 * A module.  Its text in the file is "BUILD-ID DEVICE INODE SEEN PATH", with
 * "-" for no build-id.
 */
struct tprof_module {
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	uint64_t device, inode;	/* device: major << 32 | minor */
	uint64_t seen;		/* when it was seen in memory, ns since 1970 */
	const char *path;	/* borrowed, not ended by NUL */
	uint32_t path_bytes;
};

/*
 * Writes the text of a module to `to`, at most `bytes` of it.  Returns the size
 * of the whole text.
 */
size_t tprof_module_put(const struct tprof_module *m, char *to, size_t bytes);
/*
 * Parses the text of a module; m->path is borrowed from it.  Returns false if
 * the text is none.
 */
bool tprof_module_get(struct tprof_module *m, const char *text, size_t bytes);

/*
 * Returns the name of a statistic, such as "sample", or NULL for a number
 * without one.
 */
const char *tprof_stat_name(unsigned stat);

/* Layouts that the reader knows. */
enum tprof_layout {
	TPROF_OURS,		/* notes and samples */
	TPROF_NETBSD,		/* samples without notes: NetBSD 6 and later */
	TPROF_COUNTERS,		/* program counters of 8 bytes: NetBSD 5 */
};

/* A file that is being read. */
struct tprof_reader {
	const unsigned char *bytes;
	size_t size, at;	/* bytes; offset of the next record */
	enum tprof_layout layout;
	uint32_t modules, nodes;	/* numbers given so far */
	bool cut;		/* the file ends in the midst of a record */
	bool ended;		/* TPROF_N_END was read */
};

/* One sample, or one note with its text. */
struct tprof_item {
	bool note;		/* true: `n` is set, else `sample` */
	uint64_t offset;	/* in the file */
	struct tprof_record sample;
	struct tprof_note n;
	/* Text of the note, in `room`, ended by NUL; or NULL */
	const char *text;
	uint32_t text_bytes;
	char room[TPROF_TEXT_MAX + 1];
};

/* Returns whether the bytes begin as a file of libmon's layout. */
bool tprof_is(const unsigned char *bytes, size_t size);

/*
 * Opens the bytes of a file, which stay the caller's.  The layout is libmon's
 * if the file begins so, else NetBSD's if all flags fit it, else counters if
 * all values may be addresses.  Returns 0, or -EINVAL with *f set.
 */
int tprof_open(struct tprof_reader *r, const unsigned char *bytes, size_t size,
    struct fault *f);

/*
 * Reads the next sample or note.  Every module and node number in it is one
 * that came before, and an event is below TPROF_EVENTS.  Returns 1, 0 at the
 * end or where the file is truncated, -EINVAL with *f set.
 */
int tprof_next(struct tprof_reader *r, struct tprof_item *item,
    struct fault *f);

/* Returns the kind of a note, or the event of a sample, from its flags. */
static inline uint32_t
tprof_kind(uint32_t flags)
{
	return flags >> TPROF_KIND_SHIFT;
}

/* Returns the weight of a sample from its TPROF_N_PLACE note. */
static inline uint64_t
tprof_weight(const struct tprof_note *place)
{
	return (uint64_t)place->c << 32 | place->b;
}

/* Fills TPROF_RECORD bytes at `to` from a sample. */
void tprof_put_record(unsigned char *to, const struct tprof_record *r);

/*
 * Fills TPROF_RECORD bytes at `to` with one TPROF_N_TEXT note, which holds the
 * next `bytes` of a text, at most TPROF_TEXT_EACH.
 */
void tprof_put_text(unsigned char *to, const char *text, uint32_t bytes);

_Static_assert(sizeof(struct tprof_record) == TPROF_RECORD, "record");
_Static_assert(sizeof(struct tprof_note) == TPROF_RECORD, "note");

#endif
