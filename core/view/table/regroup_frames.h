/*
 * Context: O.  Turns frames of stacks from functions into modules, files, lines
 * or addresses, and adds roots.  cmd/prof/report.c calls it before it shows a
 * view other than a table or annotated code; options of prof are checked
 * against the sets below.
 */
#ifndef REGROUP_FRAMES_H
#define REGROUP_FRAMES_H

#include "table/group.h"

/*
 * Groupings that regroup_frames() takes: one of _UNITS, which frames become;
 * and any of _ROOTS, which tell whose stack it is.
 */
#define REGROUP_FRAMES_UNITS	(1u << GROUP_MODULE | 1u << GROUP_FILE | \
	1u << GROUP_FUNCTION | 1u << GROUP_LINE | 1u << GROUP_ADDRESS)
#define REGROUP_FRAMES_ROOTS	(1u << GROUP_PROCESS | 1u << GROUP_PROGRAM | \
	1u << GROUP_THREAD)

/*
 * Replaces the function of each frame by its module, file, line or address, and
 * gives each row a root: its process, program or thread.  `by` is a set of 1 <<
 * enum group_by.  FILTER_FOCUS and FILTER_IGNORE still mean the functions of
 * before.  Sets m->coarse and m->rooted.  Must be called once, after
 * symbolize_all() and before trees are made.  Tables that are made afterwards
 * show the replaced functions.  Returns 0 or -ENOMEM.
 */
int regroup_frames(struct model *m, unsigned by);

#endif
