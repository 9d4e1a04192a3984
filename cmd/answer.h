/* Context: O.  prof --control: what processes answered, or do. */
#ifndef ANSWER_H
#define ANSWER_H

#include "crowd.h"
#include "sheet.h"

/* A line each; who did not is complained of. */
void answer_show(struct crowd *c, const struct order *o, FILE *out,
    enum sheet_form form);

#endif
