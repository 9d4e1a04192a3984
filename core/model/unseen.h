/*
 * Context: O.  CPU time of child processes that no profile has: of those that
 * were too short for a tick or are not profiled, and of the others what passed
 * before their image started and after its profile was sealed.
 */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "model.h"

/*
 * Set m->unseen_ns and m->unseen_processes, after the last file.  Who waited
 * for a process has its CPU time from the kernel; from that is taken what the
 * profiles of the processes below account for.  Both are 0 where some of the
 * processes or threads were picked, and in a model of allocations.  Returns 0
 * or -ENOMEM.
 */
int unseen_find(struct model *m);

#endif
