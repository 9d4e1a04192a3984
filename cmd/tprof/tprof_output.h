/* Context: O.  Where samples go: a file, or standard output. */
#ifndef TPROF_OUTPUT_H
#define TPROF_OUTPUT_H

#include "fault.h"

#include <stdio.h>

#define TPROF_OUT	"tprof.out"

/*
 * A file that grows, so that who is killed leaves what there was.  A tprof.out
 * of that name becomes NAME.old; any other file stays, and is a fault.  NULL
 * with *f set.
 */
FILE *tprof_output_open(const char *path, struct fault *f);

#endif
