/*
 * Context: O.  Says of an ELF file which of its functions exact call counts can
 * count, for prof --scan.
 */
#ifndef SCAN_FILE_H
#define SCAN_FILE_H

#include "entry_place.h"
#include "fault.h"

/* Functions, and the bytes of text that belong to none before them. */
struct scan_sum {
	uint64_t functions, bytes;
};

/* The sums of a file, or of several. */
struct scan_sums {
	struct scan_sum ways[ENTRY_WAYS];	/* by enum entry_way */
	struct scan_sum parts;	/* unwind_function.part: no functions */
	uint64_t code;		/* bytes of executable segments */
	uint64_t undecoded;	/* of text, behind an unknown instruction */
};

/*
 * Is called for a function f that is not counted, in the order of addresses,
 * with the reason and the argument of scan_file().
 */
typedef void scan_file_uncounted(void *arg, const struct unwind_function *f,
    enum entry_way why);

/*
 * Reads the file `name` and fills *sums.  each: called for each function that
 * is not counted, or NULL; arg: its argument.  Returns 0, or -errno with *f
 * filled: the file cannot be read, is no ELF file for x86-64, or has no table
 * of functions.
 */
int scan_file(const char *name, struct scan_sums *sums,
    scan_file_uncounted *each, void *arg, struct fault *f);

/* Adds the sums of a file to those of all. */
void scan_sums_add(struct scan_sums *all, const struct scan_sums *one);

/* Returns the sum of the ways that are counted (true) or not (false). */
struct scan_sum scan_sums_of(const struct scan_sums *sums, bool counted);

#endif
