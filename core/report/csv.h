/* Context: O.  The flat profile as comma-separated values (RFC 4180). */
#ifndef CSV_H
#define CSV_H

#include "group.h"

#include <stdio.h>

void csv_print(FILE *out, struct model *m, const struct group *g, unsigned by);

/* One field, quoted where it must be. */
void csv_field(FILE *out, const char *text);

#endif
