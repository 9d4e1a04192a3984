/*
 * Context: O.  Opens the file that the samples of tprof monitor and of prof
 * record by the kernel go to, or standard output.  recording_open() calls this.
 */
#ifndef TPROF_OUTPUT_H
#define TPROF_OUTPUT_H

#include "fault.h"

#include <stdio.h>

/* Name of the output file by default. */
#define TPROF_OUT	"tprof.out"

/*
 * Opens the output file `path`; "-" is standard output, which must be no
 * terminal.  The file grows while samples come, so that a tprof that is killed
 * leaves what it had.  Renames a tprof.out of that name to NAME.old.
 * Overwrites an empty file, and writes into a pipe or device.  Any other
 * regular file stays, and is a fault.  Returns NULL with *f set on failure; *f
 * borrows `path`.
 */
FILE *tprof_output_open(const char *path, struct fault *f);

#endif
