/* Context: O.  prof --check: is a file whole? */
#ifndef CHECK_H
#define CHECK_H

#include "fault.h"

#include <stdio.h>

/* Read all of it; a line on `out` when it is good.  As load_open(). */
int check_file(FILE *out, const char *path, struct fault *f);

#endif
