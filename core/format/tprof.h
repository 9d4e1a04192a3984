/* Context: P.  tprof.out: records of 24 bytes; doc/format.md explains it. */
#ifndef TPROF_H
#define TPROF_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A stream, little-endian, that can be cut anywhere: what a record speaks of
 * stands before it.  The record is that of NetBSD, so that whoever reads it by
 * that struct has the samples; all else is notes, which have a bit of their
 * own.
 */
struct tprof_record {
	uint32_t pid;
	uint32_t lwp;
	uint32_t cpu;		/* TPROF_CPU_UNKNOWN */
	uint32_t flags;		/* TPROF_F_*; bits 31..24 the event */
	uint64_t pc;
};

/* The same bytes, where TPROF_F_NOTE is set; bits 31..24 the kind. */
struct tprof_note {
	uint32_t a, b, c;
	uint32_t flags;
	uint64_t d;
};

#define TPROF_RECORD	24u
#define TPROF_F_KERNEL	1u	/* the pc is one of the kernel */
#define TPROF_F_NOTE	2u	/* no sample */
#define TPROF_F_CALLER	4u	/* of a node: behind a call */
#define TPROF_F_CUT	8u	/* of a node: no more callers are known; d is an
				   enum format_cut */
#define TPROF_KIND_SHIFT 24
#define TPROF_EVENTS	256u	/* at most */
#define TPROF_CPU_UNKNOWN UINT32_MAX

#define TPROF_MAGIC	0x464f5254u	/* "TROF", as bytes of the file */
#define TPROF_VERSION	1u
#define TPROF_TEXT_MAX	65536u		/* bytes of a text */
#define TPROF_TEXT_EACH	20u		/* ... of them in a record */

/*
 * Kinds of notes.  One that has a text says in c how long it is; TPROF_N_TEXT
 * notes with the bytes of a, b, c and d follow at once.
 */
enum tprof_kind {
	TPROF_N_HEAD = 1,	/* the first: a magic, b version, d real time of
				   CLOCK_MONOTONIC 0, ns; text: lines KEY=VALUE */
	TPROF_N_TEXT = 2,
	TPROF_N_EVENT = 3,	/* a number, b 1: it counts ns; d period, 0 = it
				   varies; text: name */
	TPROF_N_PROCESS = 4,	/* a pid, b user, d birth in real time or 0;
				   text: its program */
	TPROF_N_THREAD = 5,	/* a pid, b tid; text: name */
	TPROF_N_MODULE = 6,	/* a number, counted from 1, b TPROF_M_*; d what
				   an address is more than its offset in the file;
				   text: see tprof_module */
	TPROF_N_NODE = 7,	/* numbers count from 1: a caller's node, 0 none;
				   b module, 0: absolute, of process c; d address;
				   TPROF_F_KERNEL, _CALLER, _CUT */
	TPROF_N_PLACE = 8,	/* of the sample before it: a node, b and c weight
				   (low, high), d CLOCK_MONOTONIC, ns, 0 not known */
	TPROF_N_NAME = 9,	/* of a kernel function: d start, b bytes of it;
				   text */
	TPROF_N_STAT = 10,	/* a enum tprof_stat, d value */
	TPROF_N_COUNT = 11,	/* a event, b CPU, d what it counted there */
	TPROF_N_END = 12,	/* a exit status, d CLOCK_MONOTONIC */
	TPROF_N_LOSS = 13,	/* d samples lost otherwise; text: how */
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

#define TPROF_M_VDSO	1u
#define TPROF_M_BIASED	2u	/* d is known */
#define TPROF_M_NO_FILE	4u	/* a name alone, "[heap]" or "//anon" */

/* Text of a module: "BUILD-ID DEVICE INODE SEEN PATH", "-" for no build-id. */
struct tprof_module {
	uint8_t build_id[32];
	uint32_t build_id_bytes;
	uint64_t device, inode;	/* device: major << 32 | minor */
	uint64_t seen;		/* in memory, ns since 1970 */
	const char *path;	/* with no NUL behind it */
	uint32_t path_bytes;
};

/* Its text, at most `bytes` of it; how long all of it is. */
size_t tprof_module_put(const struct tprof_module *m, char *to, size_t bytes);
bool tprof_module_get(struct tprof_module *m, const char *text, size_t bytes);

/* "sample", as the statistics name it; NULL = there is none such. */
const char *tprof_stat_name(unsigned stat);

enum tprof_layout {
	TPROF_OURS,
	TPROF_NETBSD,		/* records without notes: NetBSD 6 and later */
	TPROF_COUNTERS,		/* program counters alone, 8 bytes: NetBSD 5 */
};

struct tprof_reader {
	const unsigned char *bytes;
	size_t size, at;
	enum tprof_layout layout;
	uint32_t modules, nodes;	/* of those that came */
	bool cut;		/* it ends in the midst of a record */
	bool ended;		/* TPROF_N_END came */
};

struct tprof_item {
	bool note;
	uint64_t offset;	/* in the file */
	struct tprof_record sample;
	struct tprof_note n;
	const char *text;	/* of a note, with a NUL behind; in `room` */
	uint32_t text_bytes;
	char room[TPROF_TEXT_MAX + 1];
};

/* Does it begin as ours does? */
bool tprof_is(const unsigned char *bytes, size_t size);

/*
 * Ours if it is, else NetBSD's if all flags are, else counters if all may be; 0
 * or -EINVAL.
 */
int tprof_open(struct tprof_reader *r, const unsigned char *bytes, size_t size,
    struct fault *f);

/*
 * The next one: 1, 0 at the end (or cut), -EINVAL with *f set.  Every number in
 * it is one that came before it.
 */
int tprof_next(struct tprof_reader *r, struct tprof_item *item,
    struct fault *f);

static inline uint32_t
tprof_kind(uint32_t flags)
{
	return flags >> TPROF_KIND_SHIFT;
}

static inline uint64_t
tprof_weight(const struct tprof_note *place)
{
	return (uint64_t)place->c << 32 | place->b;
}

/* Fills TPROF_RECORD bytes. */
void tprof_put_record(unsigned char *to, const struct tprof_record *r);

/* Notes that hold a text of so many bytes. */
static inline uint32_t
tprof_text_notes(uint32_t bytes)
{
	return (bytes + TPROF_TEXT_EACH - 1) / TPROF_TEXT_EACH;
}

/* One TPROF_N_TEXT note of the next bytes, up to TPROF_TEXT_EACH. */
void tprof_put_text(unsigned char *to, const char *text, uint32_t bytes);

_Static_assert(sizeof(struct tprof_record) == TPROF_RECORD, "record");
_Static_assert(sizeof(struct tprof_note) == TPROF_RECORD, "note");

#endif
