/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#ifndef MONOUT_FILE_H
#define MONOUT_FILE_H

#include "mon.h"

#include <stdint.h>

/* Cells of one call of monitor(), or of ours. */
struct monout_file_block {
	struct monout_file_block *next;
	struct cnt *cell;
	size_t cells;
	size_t bytes;		/* of this, and of cells of ours behind it */
};

/* The object that contains the range, as it lay in memory. */
struct monout_file_object {
	uintptr_t bias;		/* address in memory - address in its file */
	uintptr_t low, high;	/* of its segments; low == high: not known;
				   high may be an address, too */
};

struct monout_file {
	struct monout_file_object object;
	/* of the last histogram; nfns is of all blocks */
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
 * Addresses are written as they are in the program's file: where one that can
 * lie anywhere has lain, nobody knows who reads this.  0 or -errno.
 */
int monout_file_write(const struct monout_file *f, const char *path);

#endif
