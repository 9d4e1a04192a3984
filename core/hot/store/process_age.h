/*
 * Context: S.  Compares the lifetime of this process with that of the process
 * that wrote a file, for profile_name.c.  Opens descriptors of /proc: run by
 * private_fds_run().
 */
#ifndef PROCESS_AGE_H
#define PROCESS_AGE_H

#include "base/state.h"


/*
 * Returns whether it is certain that the writer of the file with header h is
 * the parent that started this process, or was that process before it went on
 * by an exec.  The file must be of this boot.
 */
bool process_age_is_parent(const struct format_header *h);

/*
 * Returns whether the writer of the file with header h was alive when this
 * process started.  Returns true if in doubt; but within the 10 ms in which
 * this process started, a child of the same parent is taken to have ended.  The
 * file must be of this boot.
 */
bool process_age_overlaps(const struct format_header *h);

#endif
