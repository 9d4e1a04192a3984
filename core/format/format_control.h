/*
 * Context: P.  The data of live control: modes, intervals, lists of watched
 * modules, directory defaults, and baselines, which readers subtract.  Tools
 * write them (core/control), libmon.so reads all but baselines.  Part of
 * format.h.
 */
#ifndef FORMAT_CONTROL_H
#define FORMAT_CONTROL_H

#include <stdint.h>

/*
 * Bytes of a text that lists the watched modules: shell patterns (`*`, `?`)
 * with commas between, ended by NUL.  A pattern matches the file name, or the
 * path if the pattern holds a '/'.  "" watches all modules.  Samples in other
 * modules are counted in nodes of kind FORMAT_UNWATCHED of their thread.
 */
#define FORMAT_WATCH	512

/*
 * Bits of `modes`: what a process counts.  No process has coverage: it answers
 * an order for it with EOPNOTSUPP.
 */
#define FORMAT_MODE_TIME	1u
#define FORMAT_MODE_COVERAGE	2u
#define FORMAT_MODE_MEMORY	4u

/* Bounds of an interval in ns; 0 is automatic. */
#define FORMAT_INTERVAL_LEAST	50000u
#define FORMAT_INTERVAL_MOST	10000000000u

/*
 * Bits of `stopped_ns`.  FORMAT_STOPPED: a tool or start=off has stopped it.
 * FORMAT_TIMELESS: it counts no time, as the mode for time is off.
 * FORMAT_UNTIMED: either of them.
 */
#define FORMAT_STOPPED	(1ull << 63)
#define FORMAT_TIMELESS	(1ull << 62)
#define FORMAT_UNTIMED	(FORMAT_STOPPED | FORMAT_TIMELESS)

/*
 * The directory defaults: orders for processes that begin later.  They lie in
 * the file DIRECTORY/.libmon.EUID of the profile directory, which belongs to
 * the processes' effective user or to root.  Tools replace it as a whole; a
 * process reads it when it makes its profile.
 */
#define FORMAT_DEFAULTS_MAGIC	"libmonO1"
#define FORMAT_DEFAULTS_NAME	".libmon."

/* The contents of that file. */
struct format_defaults {
	char magic[8];
	uint32_t what;		/* FORMAT_D_*: the fields that are given */
	uint32_t stop;		/* 1: count nothing */
	uint64_t interval_ns;	/* interval between samples, 0: automatic */
	uint64_t given_real;	/* time of the order, ns since 1970 */
	uint32_t modes;		/* FORMAT_MODE_* */
	uint32_t more;		/* FORMAT_MODE_* besides those of the process */
	uint8_t pad[24];
	char watch[FORMAT_WATCH];
};

/* Bits of `what`. */
#define FORMAT_D_STATE	1u
#define FORMAT_D_RATE	2u
#define FORMAT_D_WATCH	4u
#define FORMAT_D_MODES	8u
#define FORMAT_D_MORE	16u

/*
 * The values of counters when a tool made the process begin anew.  Readers
 * subtract them, as counters only go up.  The newest baseline holds all counts
 * since the start.
 */
struct format_baseline {
	/* When it was made; ticks logged up to then are left out */
	uint64_t mono;
	uint64_t cpu_ns;	/* CPU time of the process when it was made */
	/* CPU time until then while no time was counted */
	uint64_t stopped_ns;
	uint32_t words;
	/*
	 * Low halves of the eras of `memory` and `maps` then: if the era is
	 * still the same, the heap's peak was before.
	 */
	uint32_t era[2];
	uint32_t pad;
	struct format_baseline_word {
		uint64_t at;	/* offset of 8 bytes in the file */
		uint64_t less;	/* to be subtracted from them, modulo 2^64 */
	} word[];
};

_Static_assert(sizeof(struct format_defaults) == 576, "orders");
_Static_assert(sizeof(struct format_baseline) == 40, "base");

#endif
