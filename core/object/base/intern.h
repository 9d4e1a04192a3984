/*
 * Context: O.  Keeps one copy of each text that a library (libdw) owns, found
 * by the address of the text.  For dwarf/lines.c alone.
 */
#ifndef INTERN_H
#define INTERN_H

#include "base/arena.h"
#include "base/hash_index.h"

#include <stdbool.h>

/* A text by its address, and its copy. */
struct intern_text {
	const char *text, *copy;
};

/* The copies made so far.  Set `arena`, all else is zero at first. */
struct intern {
	struct arena *arena;
	struct intern_text *all;
	size_t count, room;
	struct hash_index by_address;
	bool failed;		/* memory was out */
};

/*
 * Returns the copy of a text in the arena.  The text must stay where it is.
 * Returns NULL for NULL, or if memory is out.
 */
const char *intern_text(struct intern *in, const char *text);

/*
 * Returns the copy of a path as intern_text() does, with `directory` before it
 * unless the path is absolute or `directory` is NULL.  The directory of the
 * first call for this address counts.
 */
const char *intern_path(struct intern *in, const char *directory,
    const char *path);
/* Frees the table, but not the copies in the arena. */
void intern_free(struct intern *in);

#endif
