/* Context: O.  Memory that is given back all at once: names, mostly. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk;	/* all zero = empty */
	size_t left;
};

/* A copy of `bytes` bytes with a NUL behind; NULL when memory is out. */
char *arena_copy(struct arena *a, const char *text, size_t bytes);

/* The first `bytes` bytes of text, and tail. */
char *arena_join(struct arena *a, const char *text, size_t bytes,
    const char *tail);

/* "PREFIX+0xOFFSET", the name of what has none. */
char *arena_offset(struct arena *a, const char *prefix,
    unsigned long long offset);

void arena_free(struct arena *a);

#endif
