/*
 * Context: O.  Numbers keys of three integers, for the model and the exporters;
 * see key_table.h.
 */
#include "base/key_table.h"

#include "base/vector.h"

#include <stdlib.h>

uint32_t
key_table_add(struct key_table *k, uint64_t a, uint64_t b, uint64_t c)
{
	const uint32_t hash = hash_index_hash(a ^ (uint64_t)hash_index_hash(b ^
	    (uint64_t)hash_index_hash(c) << 32) << 24);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&k->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (k->all[n].a == a && k->all[n].b == b && k->all[n].c == c)
			return n;
	if (k->count >= UINT32_MAX - 1 ||
	    vector_grow(&k->all, k->count, &k->room, sizeof(*k->all)) != 0 ||
	    hash_index_add(&k->by_key, hash, (uint32_t)k->count) != 0)
		return UINT32_MAX;
	k->all[k->count] = (struct key_table_key) { a, b, c };
	return (uint32_t)k->count++;
}

void
key_table_free(struct key_table *k)
{
	free(k->all);
	hash_index_free(&k->by_key);
	*k = (struct key_table) { 0 };
}
