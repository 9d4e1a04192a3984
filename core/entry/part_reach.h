/*
 * Context: P.  Says whether the code of a function goes on in a part of one: an
 * unwind table does not say whose part it is.  jump_targets.c asks this for
 * parts that jump to the first byte of a function.
 */
#ifndef PART_REACH_H
#define PART_REACH_H

#include "unwind_functions.h"

struct part_reach {
	struct unwind_functions *functions;
	/* bytes that may still be read: a damaged file asks for any number */
	uint64_t budget;
};

/*
 * Returns whether the function that starts at `start` jumps into the part, by a
 * jump, a table of 4-byte distances, an address that it takes, or a landing
 * pad, directly or by other parts.  Returns true also if that is not known: the
 * code of the function cannot be decoded, or the budget is spent.
 */
bool part_reach_leads(struct part_reach *r, uint64_t start,
    const struct unwind_function *part);

#endif
