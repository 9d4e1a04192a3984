/*
 * Context: O.  Keys by which records of different files are recognized as one
 * module, process, image or file, for the readers: a table with a hash index;
 * see merge_key.h.
 */
#include "base/merge_key.h"

#include "base/vector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
hash_merge_key(const struct merge_key *k)
{
	const uint32_t id = hash_index_hash_bytes((const char *)k->id,
	    sizeof(k->id));
	const uint32_t file = hash_index_hash(k->device ^
	    (uint64_t)hash_index_hash(k->inode ^ (uint64_t)id << 32) << 24);

	return hash_index_hash(((uint64_t)hash_index_hash_text(k->path) << 32 |
	    file) ^ k->flags);
}

static bool
is_same_key(const struct merge_key *a, const struct merge_key *b)
{
	return memcmp(a->id, b->id, sizeof(a->id)) == 0 &&
	    (a->path == b->path || strcmp(a->path, b->path) == 0) &&
	    a->device == b->device && a->inode == b->inode &&
	    a->flags == b->flags;
}

uint32_t
merge_key_find(struct merge_key_table *t, const struct merge_key *key,
    uint32_t fresh)
{
	const uint32_t hash = hash_merge_key(key);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (is_same_key(&t->all[n], key))
			return t->all[n].index;
	if (t->count >= UINT32_MAX - 1 ||
	    vector_grow(&t->all, t->count, &t->room, sizeof(*t->all)) != 0 ||
	    hash_index_add(&t->by_key, hash, (uint32_t)t->count) != 0)
		return UINT32_MAX;
	t->all[t->count] = *key;
	t->all[t->count++].index = fresh;
	return fresh;
}

void
merge_key_free(struct merge_key_table *t)
{
	free(t->all);
	hash_index_free(&t->by_key);
	*t = (struct merge_key_table) { 0 };
}
