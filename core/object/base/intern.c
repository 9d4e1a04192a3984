/*
 * Context: O.  One copy of each text that a library owns, for lines.c; see
 * intern.h.
 */
#include "base/intern.h"

#include "base/vector.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Copies a text into the arena, behind `directory` unless it is absolute.
 * Returns NULL without memory.
 */
static const char *
copy_interned_text(struct intern *in, const char *directory, const char *text)
{
	char *with_slash;
	size_t bytes;

	if (directory == NULL || text[0] == '/')
		return arena_copy(in->arena, text, strlen(text));
	bytes = strlen(directory);
	with_slash = arena_join(in->arena, directory, bytes, "/");
	return with_slash == NULL ? NULL : arena_join(in->arena, with_slash,
	    bytes + 1, text);
}

const char *
intern_path(struct intern *in, const char *directory, const char *path)
{
	const uint32_t hash = hash_index_hash((uintptr_t)path);
	const char *copy;
	uint32_t n;

	if (path == NULL)
		return NULL;
	for (size_t at = hash; (n = hash_index_next(&in->by_address, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (in->all[n].text == path)
			return in->all[n].copy;
	copy = copy_interned_text(in, directory, path);
	if (copy == NULL || in->count >= UINT32_MAX - 1 ||
	    vector_grow(&in->all, in->count, &in->room,
	    sizeof(*in->all)) != 0 || hash_index_add(&in->by_address, hash,
	    (uint32_t)in->count) != 0) {
		in->failed = true;
		return NULL;
	}
	in->all[in->count++] = (struct intern_text) { path, copy };
	return copy;
}

const char *
intern_text(struct intern *in, const char *text)
{
	return intern_path(in, NULL, text);
}

void
intern_free(struct intern *in)
{
	free(in->all);
	hash_index_free(&in->by_address);
	memset(in, 0, sizeof(*in));
}
