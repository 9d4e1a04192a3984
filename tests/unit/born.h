/*
 * Context: O. Files of profiles, by name, for tests of store_create.c and
 * run.c.
 */
#ifndef BORN_H
#define BORN_H

#include "target.h"

/* In target.h's directory: `form`, a printf format, of this process's pid. */
const char *born_named(const char *form);

void born_write(const char *path, const void *bytes, size_t n);

/*
 * The header of a profile of ours, of a process that had this one's pid and is
 * gone: no process starts as early as it says.  Each call makes one anew.
 */
struct format_header *born_before(void);

#endif
