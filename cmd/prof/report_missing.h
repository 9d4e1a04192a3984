/*
 * Context: O.  Reports what the options of prof(1) ask for and the profiles do
 * not have.  Faults are reported by `fault`, which is called with `arg`.
 */
#ifndef REPORT_MISSING_H
#define REPORT_MISSING_H

#include "prof/prof_options.h"
#include "read/read_inputs.h"

/*
 * Returns whether the model lacks the allocations that --heap asks for; false
 * without --heap.  Reports it if so.
 */
bool report_missing_heap(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg);

/*
 * Returns whether the model lacks the callers that the view needs.  Reports it
 * if so.
 */
bool report_missing_callers(const struct prof_options *s,
    const struct model *m, read_inputs_fault *fault, void *arg);

/*
 * Reports the first filter that matched nothing: most often the name is
 * misspelled.
 */
void report_missing_names(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg);

/* Reports the first filter that matched nothing in either model. */
void report_missing_names_both(const struct prof_options *s,
    struct model *const m[2], read_inputs_fault *fault, void *arg);

/* Reports that data are missing, and `remedy`, how to get them; NULL: none. */
void report_missing_data(const char *what, const char *remedy,
    read_inputs_fault *fault, void *arg);

#endif
