/*
 * Context: T.  Manages the cells of monitor(3C), in a list of blocks, for
 * monitor.c and monitor_calls.c, under the lock of monitor.c.
 */
#ifndef MONOUT_CELLS_H
#define MONOUT_CELLS_H

#include "classic/monout_file.h"

#include <stdbool.h>

/*
 * Appends the block b, in a mapping of b->bytes bytes that belongs to the file
 * from now on.
 */
void monout_cells_append(struct monout_file *f, struct monout_file_block *b);

/*
 * Appends a block of cells in memory of libmon, for functions that the
 * program's cells do not hold.  Returns the block, or NULL if there is no
 * memory.
 */
struct monout_file_block *monout_cells_grow(struct monout_file *f);

/* Marks all cells as free, those in the program's memory, too. */
void monout_cells_clear(struct monout_file *f);

/*
 * Removes the blocks that lie in memory which the program passes again, so that
 * their cells count once.  Returns whether that memory holds counts: cells or
 * the histogram.
 */
bool monout_cells_drop_buffer(struct monout_file *f, const WORD *buffer,
    size_t words);

/*
 * Removes all blocks and frees their mappings.  The program may free its
 * buffers after that.
 */
void monout_cells_free(struct monout_file *f);

#endif
