/* Context: T.  The cells of monitor(3C), in blocks that follow each other. */
#include "monblock.h"

#include "region.h"
#include "str.h"

#define OVERFLOW_CELLS	(2 * MPROGS0)	/* SVR4's: 600 */

void
monblock_add(struct monfile *f, struct monfile_block *b)
{
	if (f->last == NULL)
		f->first = b;
	else
		f->last->next = b;
	f->last = b;
}

struct monfile_block *
monblock_more(struct monfile *f)
{
	size_t bytes = sizeof(struct monfile_block) +
	    OVERFLOW_CELLS * sizeof(struct cnt);
	struct monfile_block *b = region_memory(bytes);

	if (b == NULL)
		return NULL;
	b->bytes = bytes;
	b->cell = (struct cnt *)(b + 1);
	b->cells = OVERFLOW_CELLS;
	monblock_add(f, b);
	return b;
}

void
monblock_clear(struct monfile *f)
{
	struct monfile_block *b;

	for (b = f->first; b != NULL; b = b->next)
		mem_zero(b->cell, b->cells * sizeof *b->cell);
}

static bool
overlap(const void *one, size_t n, const void *other, size_t bytes)
{
	return (const char *)one < (const char *)other + bytes &&
	    (const char *)other < (const char *)one + n;
}

bool
monblock_drop(struct monfile *f, const WORD *buffer, size_t words)
{
	const size_t bytes = words * sizeof *buffer;
	bool used = f->first != NULL &&
	    overlap(f->bars, f->words * sizeof *f->bars, buffer, bytes);
	struct monfile_block **at = &f->first, *b;

	f->last = NULL;
	while ((b = *at) != NULL) {
		if (!overlap(b->cell, b->cells * sizeof *b->cell, buffer,
		    bytes)) {
			f->last = b;
			at = &b->next;
			continue;
		}
		*at = b->next;
		region_unmap(b, b->bytes);
		used = true;
	}
	return used;
}

void
monblock_end(struct monfile *f)
{
	struct monfile_block *b, *next;

	for (b = f->first; b != NULL; b = next) {
		next = b->next;
		region_unmap(b, b->bytes);
	}
	f->first = f->last = NULL;
}
