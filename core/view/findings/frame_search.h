/*
 * Context: O.  Finds on all stacks of a model the innermost frame of a kind, in
 * one pass over the frames.  For caller_sums.c and python_finding.c, after
 * symbolize_all().
 */
#ifndef FRAME_SEARCH_H
#define FRAME_SEARCH_H

#include "base/model.h"

/* Tests a function for a search. */
typedef bool frame_search_test(const struct model *m, uint32_t function);

/*
 * Returns an array by the number of a frame: the innermost frame, from that one
 * outwards, whose function passes the test; 0 if there is none.  The caller
 * frees it with free(3).  Returns NULL if memory is out or there are no stacks.
 */
uint32_t *frame_search_innermost(const struct model *m,
    frame_search_test *test);

#endif
