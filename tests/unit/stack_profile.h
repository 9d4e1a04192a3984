/* Context: O.  For tests of reports on stacks: makes their profile. */
#ifndef STACK_PROFILE_H
#define STACK_PROFILE_H

#include "command.h"

#include <stdio.h>
#include <string.h>

#define MAIN	0x100	/* return addresses; the objects are not there, and so
			   each place is a function of its own */
#define LEFT	0x200
#define RIGHT	0x300
#define LEAF	0x400

/*
 * main calls left 6 times as long as right, and both leaf; main itself has a
 * tenth; one stack has no outer end.  In two threads, the same in both.
 */
void stacks_fill(struct build *b);

void stacks_save(const char *name);

void stacks_expect(const char *arguments, const char *want);

#endif
