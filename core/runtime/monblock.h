/* Context: T.  The cells of monitor(3C), in blocks that follow each other. */
#ifndef MONBLOCK_H
#define MONBLOCK_H

#include "monfile.h"

#include <stdbool.h>

/* Appends b, which belongs to the file until monblock_end(). */
void monblock_add(struct monfile *f, struct monfile_block *b);

/*
 * Appends a block of cells in memory of our own, for functions that the
 * program's cells do not hold.  Returns it, or NULL if there is no memory.
 */
struct monfile_block *monblock_more(struct monfile *f);

/* Marks all cells as free. */
void monblock_clear(struct monfile *f);

/*
 * Removes the blocks that lie in memory which the program passes again, so that
 * their cells count once.  Returns whether that memory holds counts: cells or
 * the histogram.
 */
bool monblock_drop(struct monfile *f, const WORD *buffer, size_t words);

/* Removes all blocks.  The program may free its buffers after that. */
void monblock_end(struct monfile *f);

#endif
