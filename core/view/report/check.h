/*
 * Context: O.  Implements prof --check: tells whether a file is intact.
 * cmd/prof/per_file.c calls it for each file by itself.
 */
#ifndef CHECK_H
#define CHECK_H

#include "fault.h"

#include <stdio.h>

/*
 * Reads all of the profile `path`, or of the profile that this file points to,
 * or of a tprof.out, and prints a line on `out` if it is intact.  Like
 * load_open() it truncates a profile to what is used if its process was killed.
 * Returns 0; LOAD_OTHER if the file is neither, has counted nothing yet or is
 * gone; or -errno.  Sets *f unless it returns 0; f->file, which is `path`, may
 * be set also then.
 */
int check_file(FILE *out, const char *path, struct fault *f);

#endif
