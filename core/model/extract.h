/* Context: O.  Of one object what formats of other profilers can hold. */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "model.h"
#include "program.h"

#include <stdio.h>

struct extract_time {
	uint64_t address;
	uint64_t ns;
};

/* Addresses as those profilers look them up: in the caller, in the callee. */
struct extract_call {
	uint64_t from, self;
	uint64_t count;
	uint32_t from_module;
};

struct extract {
	uint32_t module;
	struct program program;		/* no code: it is not there any more */
	struct extract_time *times;	/* ascending, each address once */
	size_t time_count, time_room;
	struct extract_call *calls;	/* ascending by self, from */
	size_t call_count, call_room;
	uint64_t low, high;	/* of its code and all of the above, even */
};

/* 0 or -ENOMEM.  Callers in other objects keep their module. */
int extract_make(struct extract *e, const struct model *m, uint32_t module);
void extract_free(struct extract *e);

/*
 * Calls from other objects are as if they came from where the object is started
 * or set up: a caller without a symbol makes gprof drop them.
 */
void extract_close(struct extract *e);

/* Ticks in bins of two bytes from `low` on, the finest that gprof knows. */
struct extract_bin {
	uint64_t index;
	uint64_t ticks;
};

#define EXTRACT_BIN	2u

/* *bins is malloced; 0 or -ENOMEM. */
int extract_bins(const struct extract *e, uint32_t rate,
    struct extract_bin **bins, size_t *count);

/* u16 bins 0 to `all`; of each what it has beyond skip, at most 65535. */
void extract_put_bins(FILE *out, const struct extract_bin *bins, size_t count,
    uint64_t all, uint64_t skip);

#endif
