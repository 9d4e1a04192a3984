/*
 * Context: O.  Implements prof --info: prints what a profile or a tprof.out
 * says about its processes.  cmd/prof/per_file.c calls it for each file by
 * itself.
 */
#ifndef INFO_H
#define INFO_H

#include "base/data_table.h"
#include "fault.h"

/*
 * Prints the file's description as lines "key=value", or, if sheet != NULL, as
 * lines of a data table, whose columns file, key and value the caller has
 * named.  Keys are stable; new ones may be added.  Like load_open() it
 * truncates a profile to what is used if its process was killed.  Returns 0;
 * LOAD_OTHER if the file is neither; or -errno, or -1 if a text of the file is
 * damaged.  Sets *f unless it returns 0; f->file, which is `path`, may be set
 * also then.
 */
int info_file(FILE *out, struct data_table *sheet, const char *path,
    struct fault *f);

#endif
