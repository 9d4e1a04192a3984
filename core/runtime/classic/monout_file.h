/*
 * Context: T.  Writes System V's mon.out: a header, cells, a histogram.  For
 * monitor.c, under its lock, and for format=monout (write_monout.c).
 */
#ifndef MONOUT_FILE_H
#define MONOUT_FILE_H

#include "mon.h"

#include <stdint.h>

/*
 * Cells of one call of monitor(), in the program's memory, or cells in memory
 * of libmon.
 */
struct monout_file_block {
	struct monout_file_block *next;
	struct cnt *cell;
	size_t cells;
	size_t bytes;		/* size of the mapping that its owner frees */
};

/* The object that contains the range, as it lay in memory. */
struct monout_file_object {
	uintptr_t bias;		/* address in memory - address in its file */
	/*
	 * bounds of its segments; low == high: not known.  An address of the
	 * range may equal high.
	 */
	uintptr_t low, high;
};

/* A file to be written.  The caller owns all that it points to. */
struct monout_file {
	struct monout_file_object object;
	/* of the last histogram; nfns: cells of the last call */
	struct hdr head;
	struct monout_file_block *first, *last;
	WORD *bars;
	size_t words;
};

/*
 * Finds the program or the library that contains head.lpc.  Call it while the
 * library is loaded; the program may unload it before the file is written.
 */
void monout_file_find_object(struct monout_file *f);

/*
 * Writes the file to `path` by atomic_write_file().  Writes addresses as they
 * are in the object's file: readers do not know where an object that can be
 * loaded anywhere was loaded.  Returns 0 or -errno.
 */
int monout_file_write(const struct monout_file *f, const char *path);

#endif
