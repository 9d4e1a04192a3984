/* Context: O.  Stacks of something else than functions. */
#ifndef REGROUP_FRAMES_H
#define REGROUP_FRAMES_H

#include "table/group.h"

/* Of these one alone is what a frame is; the others are who a stack is of. */
#define REGROUP_FRAMES_UNITS	(1u << GROUP_MODULE | 1u << GROUP_FILE | \
	1u << GROUP_FUNCTION | 1u << GROUP_LINE | 1u << GROUP_ADDRESS)
#define REGROUP_FRAMES_ROOTS	(1u << GROUP_PROCESS | 1u << GROUP_PROGRAM | \
	1u << GROUP_THREAD)

/*
 * After symbolize_all(): each frame's function becomes its module, file, line
 * or address, and each row gets a root, the process, program or thread that it
 * is of.  Tables can still be made, of what they are of then.  0 or -ENOMEM.
 */
int regroup_frames(struct model *m, unsigned by);

#endif
