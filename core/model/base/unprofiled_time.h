/*
 * Context: O.  Computes, for model_finish(), the CPU time of child processes
 * that is in no profile: that of processes that were too short for a tick or
 * are not profiled, and of other processes the time before their image started
 * and after their profile was sealed.
 */
#ifndef UNPROFILED_TIME_H
#define UNPROFILED_TIME_H

#include "base/model.h"

/*
 * Sets m->unseen_ns and m->unseen_processes; must be called once, after the
 * last file.  The kernel adds a process's CPU time to the figures of the
 * process that waits for it; what the profiles of its descendants account for
 * is subtracted from these.  Leaves both at 0 if only some processes or threads
 * were selected, and in a model of allocations.  Returns 0 or -ENOMEM.
 */
int unprofiled_time_find(struct model *m);

#endif
