/*
 * Context: T.  Manages the cells of monitor(3C), in a list of blocks, for
 * monitor.c and monitor_calls.c, under the lock of monitor.c.
 */
#include "classic/monout_cells.h"

#include "base/mmap_area.h"
#include "base/str.h"

#define OVERFLOW_CELLS	(2 * MPROGS0)	/* as in SVR4: 600 */

void
monout_cells_append(struct monout_file *f, struct monout_file_block *b)
{
	if (f->last == NULL)
		f->first = b;
	else
		f->last->next = b;
	f->last = b;
}

struct monout_file_block *
monout_cells_grow(struct monout_file *f)
{
	size_t bytes = sizeof(struct monout_file_block) +
	    OVERFLOW_CELLS * sizeof(struct cnt);
	struct monout_file_block *b = mmap_area_alloc(bytes);

	if (b == NULL)
		return NULL;
	b->bytes = bytes;
	b->cell = (struct cnt *)(b + 1);
	b->cells = OVERFLOW_CELLS;
	monout_cells_append(f, b);
	return b;
}

void
monout_cells_clear(struct monout_file *f)
{
	for (struct monout_file_block *b = f->first; b != NULL; b = b->next)
		mem_zero(b->cell, b->cells * sizeof(*b->cell));
}

static bool
buffers_overlap(const void *one, size_t n, const void *other, size_t bytes)
{
	return (const char *)one < (const char *)other + bytes &&
	    (const char *)other < (const char *)one + n;
}

bool
monout_cells_drop_buffer(struct monout_file *f, const WORD *buffer,
    size_t words)
{
	const size_t bytes = words * sizeof(*buffer);
	bool used = f->first != NULL &&
	    buffers_overlap(f->bars, f->words * sizeof(*f->bars), buffer,
	    bytes);
	struct monout_file_block **at = &f->first, *b;

	f->last = NULL;
	while ((b = *at) != NULL) {
		if (!buffers_overlap(b->cell, b->cells * sizeof(*b->cell),
		    buffer, bytes)) {
			f->last = b;
			at = &b->next;
			continue;
		}
		*at = b->next;
		mmap_area_unmap(b, b->bytes);
		used = true;
	}
	return used;
}

void
monout_cells_free(struct monout_file *f)
{
	struct monout_file_block *next;

	for (struct monout_file_block *b = f->first; b != NULL; b = next) {
		next = b->next;
		mmap_area_unmap(b, b->bytes);
	}
	f->first = f->last = NULL;
}
