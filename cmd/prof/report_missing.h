/*
 * Context: O.  Reports what the options of prof(1) ask for and the profiles do
 * not have.  The files of cmd/prof that show or write a model call this after
 * prof_model_read().  Faults are reported by `fault`, which is called with
 * `arg` and a fault that is valid during the call only.
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
 * Returns whether the model lacks the time asleep that --asleep asks for; false
 * without --asleep.  Reports it if so.
 */
bool report_missing_sleep(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg);

/*
 * Returns whether the model lacks the callers that the view needs: those of
 * trees, the graph and --heap=summary.  Reports it if so.
 */
bool report_missing_callers(const struct prof_options *s,
    const struct model *m, read_inputs_fault *fault, void *arg);

/*
 * Reports the first filter that matched nothing: most often the name is
 * misspelled.  Does nothing if all matched.  symbolize_all() has run.
 */
void report_missing_names(const struct prof_options *s, struct model *m,
    read_inputs_fault *fault, void *arg);

/*
 * Reports the first filter that matched nothing in any of `count` models, one
 * or more.  Sets `met` of the last to the filters that matched in one of them.
 */
void report_missing_names_all(const struct prof_options *s,
    struct model *const *m, size_t count, read_inputs_fault *fault, void *arg);

/* Reports that data are missing, and `remedy`, how to get them; NULL: none. */
void report_missing_data(const char *what, const char *remedy,
    read_inputs_fault *fault, void *arg);

#endif
