/*
 * Context: O.  Adds up time in functions of one kind, such as those that
 * allocate, by the function of the program that called them.  For
 * alloc_finding.c and lock_finding.c, after symbolize_all().
 */
#ifndef CALLER_SUMS_H
#define CALLER_SUMS_H

#include "findings/finding.h"
#include "findings/frame_search.h"

/*
 * Sums of a search: all time, and by the number of the calling function, in an
 * array of model.function_count + 1.
 */
struct caller_sums {
	struct finding_sum all;
	struct finding_sum *callers;
};

/* Returns whether the row's time counts for a search. */
typedef bool caller_sums_filter(const struct model_row *r);

/*
 * Adds up the rows that pass the filter and are in a function that passes the
 * test, or below one.  Such a row also counts for the function of the frame
 * that library_code_caller() finds among the callers of that function: the
 * innermost that is no library code, or else one of a library that is compiled
 * into the program.  If there is none, the row is in `all` alone.  All sums are
 * 0 if the model has no stacks.  Returns 0 or -ENOMEM; call caller_sums_free()
 * in either case.
 */
int caller_sums_make(struct caller_sums *s, const struct model *m,
    frame_search_test *test, caller_sums_filter *filter);

/* Frees what caller_sums_make() allocated. */
void caller_sums_free(struct caller_sums *s);

#endif
