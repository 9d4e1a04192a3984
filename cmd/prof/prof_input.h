/*
 * Context: O.  Finds the profiles that prof(1) reads, by the names on the
 * command line.
 */
#ifndef PROF_INPUT_H
#define PROF_INPUT_H

#include "input.h"
#include "prof/prof_state.h"

/*
 * Adds to *in the profiles of `count` names; without a name of a file or a
 * directory, those of the default place.  Reports names without a profile.
 */
void prof_input_find(struct prof_state *p, struct input *in,
    const char **names, size_t count);

/* Says where no profile is yet, for --live, and what to do about it. */
void prof_input_print_empty(FILE *out, const char **names, size_t count);

/*
 * Reports that no profile was found, unless a file that cannot be read was
 * reported.
 */
void prof_input_report_none(struct prof_state *p, const char **names,
    size_t count);

#endif
