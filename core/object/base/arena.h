/*
 * Context: O.  Memory that is freed all at once, mostly for names.  For the
 * tools: whoever asks for names owns the arena, and names are valid as long as
 * it is.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_chunk;

/* An arena; all zero is an empty one. */
struct arena {
	struct arena_chunk *chunk;	/* the newest chunk */
	size_t left;		/* bytes free in it */
};

/*
 * Returns a copy of `bytes` bytes with a NUL behind, or NULL if memory is out.
 */
char *arena_copy(struct arena *a, const char *text, size_t bytes);

/*
 * Returns the first `bytes` bytes of `text` followed by `tail`, or NULL if
 * memory is out.
 */
char *arena_join(struct arena *a, const char *text, size_t bytes,
    const char *tail);

/*
 * Returns "PREFIX+0xOFFSET", the name of code that has none, or NULL if memory
 * is out.
 */
char *arena_offset(struct arena *a, const char *prefix,
    unsigned long long offset);

/* Frees everything in the arena and leaves it empty. */
void arena_free(struct arena *a);

#endif
