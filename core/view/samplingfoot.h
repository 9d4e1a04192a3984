/* Context: O.  What a report of a tprof.out rests on. */
#ifndef SAMPLINGFOOT_H
#define SAMPLINGFOOT_H

#include "model.h"
#include "term.h"

/* A line for each such file, ... */
void samplingfoot_print(const struct term *t, const struct model *m);

/* ... and for each way in which they lost samples. */
void samplingfoot_losses(const struct term *t, const struct model *m);

#endif
