/*
 * Context: S.  Compares the lifetime of this process with that of the process
 * that wrote a file.
 */
#ifndef PROCESS_AGE_H
#define PROCESS_AGE_H

#include "base/state.h"


/*
 * Returns whether it is certain that the writer of the file with header h
 * started this process, or is this process before an exec.  The file must be of
 * this boot.
 */
bool process_age_is_parent(const struct format_header *h);

/*
 * Returns whether the writer of the file with header h was alive when this
 * process started.  Returns true if in doubt.  The file must be of this boot.
 */
bool process_age_overlaps(const struct format_header *h);

#endif
