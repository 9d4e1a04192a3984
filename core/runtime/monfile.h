/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#ifndef MONFILE_H
#define MONFILE_H

#include "mon.h"

#include <stdint.h>

/* Cells of one call of monitor(), or of ours. */
struct monfile_block {
	struct monfile_block *next;
	struct cnt *cell;
	size_t cells;
	size_t bytes;		/* of this, and of cells of ours behind it */
};

/* The object that contains the range, as it lay in memory. */
struct monfile_object {
	uintptr_t bias;		/* address in memory - address in its file */
	uintptr_t low, high;	/* of its segments; low == high: not known;
				   high may be an address, too */
};

struct monfile {
	struct monfile_object object;
	struct hdr head;	/* of the last histogram; nfns is of all blocks */
	struct monfile_block *first, *last;
	WORD *bars;
	size_t words;
};

/*
 * Finds the program or the library that contains head.lpc.  Call it while the
 * library is loaded; the program may unload it before the file is written.
 */
void monfile_find_object(struct monfile *f);

/*
 * Addresses are written as they are in the program's file: where one that can
 * lie anywhere has lain, nobody knows who reads this.  0 or -errno.
 */
int monfile_write(const struct monfile *f, const char *path);

#endif
