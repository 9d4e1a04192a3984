/* Context: O.  What a report of a tprof.out rests on. */
#ifndef TPROF_FOOTER_H
#define TPROF_FOOTER_H

#include "base/model.h"
#include "base/term.h"

/* A line for each such file, ... */
void tprof_footer_print(const struct term *t, const struct model *m);

/* ... and for each way in which they lost samples. */
void tprof_footer_losses(const struct term *t, const struct model *m);

#endif
