/*
 * Context: O.  Memory that is freed all at once, in chunks, for names of the
 * model, core/object, the listing and views; see arena.h.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_CHUNK 65536

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	char bytes[];
};

static int
arena_grow(struct arena *a, size_t need)
{
	size_t size = need > ARENA_CHUNK ? need : ARENA_CHUNK;
	struct arena_chunk *chunk = malloc(sizeof(*chunk) + size);

	if (chunk == NULL)
		return -1;
	chunk->next = a->chunk;
	chunk->size = size;
	a->chunk = chunk;
	a->left = size;
	return 0;
}

/* Returns `bytes` bytes, not aligned; NULL if memory is out. */
static char *
arena_take(struct arena *a, size_t bytes)
{
	char *taken;

	if (bytes >= SIZE_MAX / 2)
		return NULL;
	if (a->left < bytes && arena_grow(a, bytes) != 0)
		return NULL;
	taken = a->chunk->bytes + (a->chunk->size - a->left);
	a->left -= bytes;
	return taken;
}

char *
arena_copy(struct arena *a, const char *text, size_t bytes)
{
	char *copy = arena_take(a, bytes + 1);

	if (copy != NULL) {
		memcpy(copy, text, bytes);
		copy[bytes] = '\0';
	}
	return copy;
}

char *
arena_join(struct arena *a, const char *text, size_t bytes, const char *tail)
{
	char *copy = arena_take(a, bytes + strlen(tail) + 1);

	if (copy != NULL) {
		memcpy(copy, text, bytes);
		strcpy(copy + bytes, tail);
	}
	return copy;
}

char *
arena_offset(struct arena *a, const char *prefix, unsigned long long offset)
{
	size_t bytes = strlen(prefix) + sizeof("+0x") + 16;
	char *copy = arena_take(a, bytes);

	if (copy != NULL)
		snprintf(copy, bytes, "%s+0x%llx", prefix, offset);
	return copy;
}

void
arena_free(struct arena *a)
{
	struct arena_chunk *chunk = a->chunk;

	while (chunk != NULL) {
		struct arena_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
	a->chunk = NULL;
	a->left = 0;
}
