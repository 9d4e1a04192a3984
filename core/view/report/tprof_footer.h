/*
 * Context: O.  Prints on what a report of tprof.out files rests.  report_head.c
 * prints how they were made, footer.c what was lost.
 */
#ifndef TPROF_FOOTER_H
#define TPROF_FOOTER_H

#include "base/model.h"
#include "base/term.h"

/* Prints a line for each tprof.out. */
void tprof_footer_print(const struct term *t, const struct model *m);

/* Prints a line for each way in which tprof.out files have lost samples. */
void tprof_footer_losses(const struct term *t, const struct model *m);

#endif
