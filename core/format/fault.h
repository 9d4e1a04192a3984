/*
 * Context: P.  The error record of the tools.  The function that meets an error
 * fills it, the callers pass it up and may add file and remedy, and the
 * commands print it (cmd/common/print_fault.c).  libmon.so does not use it.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdint.h>

/*
 * Why a file or an option is refused.  The texts are borrowed: each is static,
 * or lives as long as what the fault is about, such as a model or the names of
 * the caller.  Who keeps a fault for longer copies them.
 */
struct fault {
	const char *what;	/* NULL = no fault */
	const char *remedy;	/* static text, or NULL */
	const char *file;	/* borrowed from the caller, or NULL */
	/* Place in the file; FAULT_NO_OFFSET: all of it */
	uint64_t offset;
	uint64_t line;		/* line of a text file, from 1 on; 0: no text */
	int errnum;		/* positive errno; 0: the data are at fault */
};

/* Value of `offset` for a fault that has no place in the file. */
#define FAULT_NO_OFFSET UINT64_MAX

/*
 * Fills *f for a fault at `offset` and clears its other fields; *f borrows
 * `what`.  Returns -errnum, or -EINVAL if errnum is 0 (the data are at
 * fault), for use as `return fault_set(...)`.
 */
int fault_set(struct fault *f, const char *what, uint64_t offset, int errnum);

/*
 * Fills *f for a fault of the data in line `line`, from 1 on, of a text file.
 * Returns -EINVAL.
 */
int fault_set_line(struct fault *f, const char *what, uint64_t line);

/* Fills *f for an allocation that failed.  Returns -ENOMEM. */
int fault_set_no_memory(struct fault *f);

#endif
