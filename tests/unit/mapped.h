/* Context: O.  Mappings made and records read, for tests of modules.c. */
#ifndef MAPPED_H
#define MAPPED_H

#include "target.h"

/* A page of memory that can run, of a file (fd) or of none (-1). */
char *mapped_page(int fd, int flags);

/* A new file of so many zeros in the test's directory; its descriptor. */
int mapped_file(const char *name, size_t bytes);

/* A module's record, and its path until the next call. */
struct format_module *mapped_record(uint32_t index);
const char *mapped_path(uint32_t index);

#endif
