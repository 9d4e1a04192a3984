/*
 * Context: O.  Reads a gmon.out, mon.out or prof.out for the classic listing of
 * prof.
 */
#ifndef LISTING_SOURCE_H
#define LISTING_SOURCE_H

#include "fault.h"
#include "listing.h"

/* An open file. */
struct listing_source {
	struct listing_file file;
	unsigned char *bytes;	/* bytes of the file, allocated */
};

/*
 * Reads the file `path`, which is borrowed.  program: path of the program that
 * wrote it, or NULL; not every layout states word size and byte order, and the
 * program does.  Returns 0, or an enum listing_exit with *f set; then there is
 * nothing to close.
 */
int listing_source_open(struct listing_source *s, const char *path,
    const char *program, struct fault *f);

/* Frees the file. */
void listing_source_close(struct listing_source *s);

/*
 * Returns whether the file is one of a classic profiler, whole, and no profile
 * of libmon.  Reports nothing.
 */
bool listing_source_is(const char *path, const char *program);

#endif
