/*
 * Context: O.  Prints on what a report of tprof.out files rests.  report_head.c
 * prints how they were made, footer.c what was lost.
 */
#ifndef TPROF_FOOTER_H
#define TPROF_FOOTER_H

#include "base/model.h"
#include "base/term.h"

/*
 * Returns whether the model is of one tprof.out that tells its command, and of
 * nothing else: its report begins with the command, as others do.
 */
bool tprof_footer_has_command(const struct model *m);

/*
 * Prints a line for each tprof.out, or a line of the command, one of date and
 * host, and one of samples if tprof_footer_has_command().
 */
void tprof_footer_print(const struct term *t, const struct model *m);

/* Prints a line for each way in which tprof.out files have lost samples. */
void tprof_footer_losses(const struct term *t, const struct model *m);

#endif
