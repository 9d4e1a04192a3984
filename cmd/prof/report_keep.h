/*
 * Context: O.  Says which data of the profiles a report needs, so that no more
 * is read.  For report.c, which shows it, and prof_model.c, which reads it.
 */
#ifndef REPORT_KEEP_H
#define REPORT_KEEP_H

#include "prof/prof_options.h"

/* Returns the MODEL_KEEP_* flags of the data that the report needs. */
unsigned report_keep(const struct prof_options *s);

/*
 * Returns whether the table is the one that is shown without options: of
 * functions, with the time of each and of what it called.
 */
bool report_has_inclusive_times(const struct prof_options *s);

#endif
