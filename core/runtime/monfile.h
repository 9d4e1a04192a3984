/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#ifndef MONFILE_H
#define MONFILE_H

#include "mon.h"

/* Cells of one call of monitor(), or of ours. */
struct monfile_block {
	struct monfile_block *next;
	struct cnt *cell;
	size_t cells;
	size_t bytes;		/* of this, and of cells of ours behind it */
};

struct monfile {
	struct hdr head;	/* of the last histogram; nfns is of all blocks */
	struct monfile_block *first, *last;
	WORD *bars;
	size_t words;
};

/*
 * Addresses are written as they are in the program's file: where one that can
 * lie anywhere has lain, nobody knows who reads this.  0 or -errno.
 */
int monfile_write(const struct monfile *f, const char *path);

#endif
