/*
 * Context: P.  Lists the landing pads of a function: where code goes on when an
 * exception passes it.  The unwinder of the language jumps there, so an
 * analysis of jumps alone does not see them.
 */
#ifndef LANDING_PADS_H
#define LANDING_PADS_H

#include "unwind_functions.h"

/* Is called with the address of each landing pad. */
typedef void landing_pads_visit(uint64_t address, void *arg);

/*
 * Calls visit(address, arg) for each landing pad of the function, by its table
 * in .gcc_except_table.  Returns false if that cannot be read to its end.
 */
bool landing_pads_each(const struct code_image *image,
    const struct unwind_function *function, landing_pads_visit *visit,
    void *arg);

#endif
