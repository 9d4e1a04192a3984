/* Context: O.  The program of a classic profile. */
#ifndef CLASSIC_PROGRAM_H
#define CLASSIC_PROGRAM_H

#include "read/classic_reader.h"

/*
 * Opens the program that wrote the file, if it can be read.  Returns 0 or
 * -ENOMEM with the fault set.
 */
int classic_program_open(struct read_classic *x);

/*
 * Checks that the file is a profile of that program.  Returns 0, or -errno with
 * the fault set.
 */
int classic_program_check(struct read_classic *x);

/* Sets the fault of a record at `offset` that another program wrote. */
int classic_program_fault(const struct read_classic *x, const char *what,
    uint64_t offset);

/* Returns whether the filter of the model selects the program. */
bool classic_program_is_selected(const struct read_classic *x);

#endif
