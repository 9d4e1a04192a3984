/* Context: O.  Of one object what formats of other profilers can hold. */
#ifndef OBJECT_PROFILE_H
#define OBJECT_PROFILE_H

#include "base/model.h"
#include "elf_layout.h"

#include <stdio.h>

struct object_profile_time {
	uint64_t address;
	uint64_t ns;
};

/* Addresses as those profilers look them up: in the caller, in the callee. */
struct object_profile_call {
	uint64_t from, self;
	uint64_t count;
	uint32_t from_module;
};

struct object_profile {
	uint32_t module;
	/* no code: it is not there any more */
	struct elf_layout program;
	/* ascending, each address once */
	struct object_profile_time *times;
	size_t time_count, time_room;
	struct object_profile_call *calls;	/* ascending by self, from */
	size_t call_count, call_room;
	uint64_t low, high;	/* of its code and all of the above, even */
};

/* 0 or -ENOMEM.  Callers in other objects keep their module. */
int object_profile_make(struct object_profile *e, const struct model *m,
    uint32_t module);
void object_profile_free(struct object_profile *e);

/*
 * Calls from other objects are as if they came from where the object is started
 * or set up: a caller without a symbol makes gprof drop them.
 */
void object_profile_close(struct object_profile *e);

/* Ticks in bins of two bytes from `low` on, the finest that gprof knows. */
struct object_profile_bin {
	uint64_t index;
	uint64_t ticks;
};

#define OBJECT_PROFILE_BIN	2u

/* *bins is malloced; 0 or -ENOMEM. */
int object_profile_bins(const struct object_profile *e, uint32_t rate,
    struct object_profile_bin **bins, size_t *count);

/* u16 bins 0 to `all`; of each what it has beyond skip, at most 65535. */
void object_profile_put_bins(FILE *out, const struct object_profile_bin *bins,
    size_t count, uint64_t all, uint64_t skip);

#endif
