/* Context: O.  One copy of each text that a library keeps, by its address. */
#ifndef INTERN_H
#define INTERN_H

#include "arena.h"

#include <stdbool.h>

struct intern_text {
	const char *text, *copy;
};

struct intern {
	struct arena *arena;
	struct intern_text *slots;	/* of a hash table; text NULL = empty */
	size_t count, slot_count;	/* a power of 2 */
	bool failed;			/* memory is out */
};

/*
 * Its copy in the arena; the text must stay where it is.  NULL of NULL, and
 * where memory is out.
 */
const char *intern_text(struct intern *in, const char *text);

/* The same of a path, with the directory before it unless it is absolute. */
const char *intern_path(struct intern *in, const char *directory,
    const char *path);
void intern_free(struct intern *in);

#endif
