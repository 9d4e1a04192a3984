/* Context: O.  -o FILE: whole or not at all, and never over a profile. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *out;
	const char *path;	/* NULL = standard output */
	char *target;		/* what a link leads to; NULL = not there yet */
	char *temporary;	/* renamed to it at the end; NULL = none */
	bool replaces;		/* what nobody can make again */
	bool is_private;	/* for the owner alone */
};

/* Of a command: what is unfinished when a signal ends it goes with it. */
void output_unlink_on_signal(void);

/* NULL or "-": standard output.  0 or -errno with *f set. */
int output_open(struct output *o, const char *path, struct fault *f);

/*
 * A file that is there, which may be a profile: the new one is on the disk
 * before the old one goes.  Else the same.
 */
int output_replace(struct output *o, const char *path, struct fault *f);

/* As output_open(), for the owner alone: 0600. */
int output_open_private(struct output *o, const char *path, struct fault *f);

/* Everything is written or *f says why not. */
int output_close(struct output *o, struct fault *f);

/* Leave no trace. */
void output_abandon(struct output *o);

#endif
