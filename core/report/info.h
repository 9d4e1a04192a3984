/* Context: O.  prof --info: what a file says of its process. */
#ifndef INFO_H
#define INFO_H

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * One "key=value" a line, or with `csv` the columns file, key, value (no
 * header line here).  Keys do not change; new ones may come.
 */
int info_file(FILE *out, const char *path, bool csv, struct fault *f);

#endif
