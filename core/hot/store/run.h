/*
 * Context: S.  Finds the run that a process belongs to: a first process and all
 * that it started.  The making of a file (store_create.c, store_path.c) and
 * monitor(3C)'s files (yield_monout.c) ask.
 */
#ifndef RUN_H
#define RUN_H

#include "base/state.h"

/* file of the first process of a run without PROFDIR */
#define RUN_FIRST_FILE	"mon.out"

/*
 * Fills in lineage.pid, lineage.start, lineage.descends and lineage_directory,
 * once for a process and its fork children.  mon->start_ticks is known, or 0.
 * scratch: a buffer of `room` bytes for lines of /proc/PID/maps.  Opens
 * descriptors of /proc: run by private_fds_run().
 */
void run_find(char *scratch, size_t room);

/*
 * Returns whether this process is the first of its run, as far as lineage says.
 */
bool run_is_first(void);

/*
 * Returns whether this process gets the bare name, mon.out.  A fork child does
 * not, even if its ancestors are gone and the run, as far as it is known,
 * begins with the child.
 */
bool run_owns_plain_name(void);

#endif
