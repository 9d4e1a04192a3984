/* Context: O.  What a report rests on: printed below every table. */
#ifndef FOOTER_H
#define FOOTER_H

#include "base/term.h"
#include "table/group.h"

void footer_print(const struct term *t, struct model *m,
    const struct group *g);

/* What was lost, in any way. */
void footer_losses(FILE *out, const struct model *m);

#endif
