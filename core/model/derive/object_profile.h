/*
 * Context: O.  The profile of a single object, for formats that can hold no
 * more, as gmon.out and mon.out (core/export), and for the listing.
 */
#ifndef OBJECT_PROFILE_H
#define OBJECT_PROFILE_H

#include "base/model.h"
#include "elf/elf_layout.h"

#include <stdio.h>

/* CPU time at an address. */
struct object_profile_time {
	uint64_t address;
	uint64_t ns;
};

/*
 * Counted calls from one address to a function.  Addresses are as those
 * profilers look them up: `from` is inside the call, `self` in the called
 * function.
 */
struct object_profile_call {
	uint64_t from, self;
	uint64_t count;
	uint32_t from_module;
};

/* Times and calls of one module. */
struct object_profile {
	uint32_t module;
	/* layout of the object; it has no code if its file is gone */
	struct elf_layout program;
	/* ascending, each address once */
	struct object_profile_time *times;
	size_t time_count, time_room;
	/* ascending by self, from_module and from */
	struct object_profile_call *calls;
	size_t call_count, call_room;
	/*
	 * range of its code, its times and its called functions; even numbers
	 */
	uint64_t low, high;
};

/*
 * Collects the times and calls of a module, after symbolize_all(); opens its
 * file.  Calls from other objects keep their module in from_module.  Returns 0
 * or -ENOMEM; call object_profile_free() in either case.
 */
int object_profile_make(struct object_profile *e, const struct model *m,
    uint32_t module);

/* Frees the times and calls. */
void object_profile_free(struct object_profile *e);

/*
 * Makes calls from other objects appear to come from the code that starts or
 * initializes the object: gprof drops calls whose caller has no symbol.  For
 * exporters.
 */
void object_profile_close(struct object_profile *e);

/*
 * Ticks of one bin.  Bins are two bytes wide, the finest that gprof can read,
 * and are counted from object_profile.low.
 */
struct object_profile_bin {
	uint64_t index;
	uint64_t ticks;
};

/* Bytes of code in a bin. */
#define OBJECT_PROFILE_BIN	2u

/*
 * Makes the bins of an object, ascending, at `rate` ticks per second; a bin
 * without ticks is left out.  Sets *bins, which is to be freed with free(3),
 * and *count.  Returns 0 or -ENOMEM.
 */
int object_profile_bins(const struct object_profile *e, uint32_t rate,
    struct object_profile_bin **bins, size_t *count);

/*
 * Writes bins 0 to all - 1 as 16-bit numbers: the ticks of each bin beyond
 * `skip`, at most 65535.  bins[] has `count` elements, whose indexes ascend and
 * are less than `all`.  The caller checks `out` for errors.
 */
void object_profile_put_bins(FILE *out, const struct object_profile_bin *bins,
    size_t count, uint64_t all, uint64_t skip);

#endif
