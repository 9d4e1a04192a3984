/*
 * Context: O.  Recognizes a module, a process, a process image or a copy of a
 * profile by its key, when several files are read, for core/model/read: a table
 * of keys with a hash index; see merge_key.h.
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
	/* Paths are never NULL, and mostly the same text in memory. */
	return memcmp(a->id, b->id, sizeof(a->id)) == 0 &&
	    (a->path == b->path || strcmp(a->path, b->path) == 0) &&
	    a->device == b->device && a->inode == b->inode &&
	    a->flags == b->flags;
}

uint32_t
merge_key_find_or_add(struct merge_key_table *t, const struct merge_key *key,
    uint32_t index_if_new)
{
	const uint32_t hash = hash_merge_key(key);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (is_same_key(&t->all[n], key))
			return t->all[n].index;
	/* The results UINT32_MAX and HASH_INDEX_NONE are no index. */
	if (t->count >= UINT32_MAX - 1 ||
	    vector_grow(&t->all, t->count, &t->room, sizeof(*t->all)) != 0 ||
	    hash_index_add(&t->by_key, hash, (uint32_t)t->count) != 0)
		return UINT32_MAX;
	t->all[t->count] = *key;
	t->all[t->count++].index = index_if_new;
	return index_if_new;
}

void
merge_key_free(struct merge_key_table *t)
{
	free(t->all);
	hash_index_free(&t->by_key);
	*t = (struct merge_key_table) { 0 };
}
