/*
 * Context: O.  Finds the profiles that prof(1) reads, by the names on the
 * command line.  For prof.c; prof_diff.c finds its own runs, and reports here
 * those that have no profile.
 */
#ifndef PROF_INPUT_H
#define PROF_INPUT_H

#include "input.h"
#include "prof/prof_state.h"

/*
 * Adds to *in the profiles of `count` names; without a name of a file or a
 * directory, those of the default place.  Reports names without a profile, and
 * goes on.  The caller frees *in.
 */
void prof_input_find(struct prof_state *p, struct input *in,
    const char **names, size_t count);

/*
 * Prints for --live on `out` that there is no profile yet, where prof looks for
 * one, and what to do about it.  The parameters are those of prof_input_find().
 */
void prof_input_print_empty(FILE *out, const char **names, size_t count);

/*
 * Reports that no profile was found in the named places, or in the default
 * place if `count` is 0.  Does nothing once any fault was reported.
 */
void prof_input_report_none(struct prof_state *p, const char **names,
    size_t count);

#endif
