/*
 * Context: O.  Gives texts numbers, by an array of texts with a hash index, for
 * the model, views and exporters; see string_pool.h.
 */
#include "base/string_pool.h"

#include "base/vector.h"

#include <string.h>

uint32_t
string_pool_add(struct string_pool *s, const char *text)
{
	const uint32_t hash = hash_index_hash_text(text);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&s->by_text, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (strcmp(s->all[n], text) == 0)
			return n;
	if (s->count >= UINT32_MAX - 1 ||
	    vector_grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0 ||
	    hash_index_add(&s->by_text, hash, (uint32_t)s->count) != 0)
		return UINT32_MAX;
	s->all[s->count] = text;
	return (uint32_t)s->count++;
}

uint32_t
string_pool_find(const struct string_pool *s, const char *text, size_t bytes)
{
	const uint32_t hash = hash_index_hash_bytes(text, bytes);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&s->by_text, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (strncmp(s->all[n], text, bytes) == 0 &&
		    s->all[n][bytes] == '\0')
			return n;
	return UINT32_MAX;
}

void
string_pool_free(struct string_pool *s)
{
	free(s->all);
	hash_index_free(&s->by_text);
	memset(s, 0, sizeof(*s));
}
