/*
 * Context: O.  Reads a file of a classic profiler, as gmon.out, mon.out or
 * prof.out, for cmd/classic: classic_list.c opens each file to add it to the
 * listing, classic_main.c asks whether a command line without --classic is
 * meant for one.
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
 * Reads the file `path`, which is borrowed, and finds its format.  program:
 * path of the program that wrote it; NULL: a.out.  Not every layout states word
 * size and byte order; the program does.  A damaged or truncated file is
 * refused, as the listing cannot say that something is missing.  Returns 0, or
 * an enum listing_exit with *f set; then there is nothing to close.  Sets
 * f->file in either case.
 */
int listing_source_open(struct listing_source *s, const char *path,
    const char *program, struct fault *f);

/* Frees the file. */
void listing_source_close(struct listing_source *s);

/*
 * Returns whether the file is one of a classic profiler, whole, and no profile
 * of libmon; `program` as for listing_source_open().  Reads all of the file.
 * Reports nothing.
 */
bool listing_source_is(const char *path, const char *program);

#endif
