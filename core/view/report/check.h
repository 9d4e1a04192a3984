/* Context: O.  Implements prof --check: tells whether a file is intact. */
#ifndef CHECK_H
#define CHECK_H

#include "fault.h"

#include <stdio.h>

/*
 * Reads all of a profile or a tprof.out and prints a line on `out` if it is
 * intact.  Returns 0; LOAD_OTHER if the file is neither; or -errno with *f set.
 */
int check_file(FILE *out, const char *path, struct fault *f);

#endif
