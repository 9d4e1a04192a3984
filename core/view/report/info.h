/* Context: O.  prof --info: what a file says of its process. */
#ifndef INFO_H
#define INFO_H

#include "base/data_table.h"
#include "fault.h"

/*
 * One "key=value" a line, or in a sheet of the columns file, key, value (NULL =
 * none).  Keys do not change; new ones may come.
 */
int info_file(FILE *out, struct data_table *sheet, const char *path,
    struct fault *f);

#endif
