/*
 * Context: O.  Numbers keys of three integers, each distinct key once.  Used
 * where the model merges records of several files, and by exporters.
 */
#ifndef KEY_TABLE_H
#define KEY_TABLE_H

#include "base/hash_index.h"

#include <stddef.h>
#include <stdint.h>

/* Three numbers that make a key; their meaning depends on the table. */
struct key_table_key {
	uint64_t a, b, c;
};

/*
 * A table that gives keys numbers, from 0 on.  All fields 0 is an empty table.
 */
struct key_table {
	struct key_table_key *all;
	size_t count, room;
	struct hash_index by_key;
};

/*
 * Returns the number of a key, which is added if it is missing.  Returns
 * UINT32_MAX if memory is out.
 */
uint32_t key_table_add(struct key_table *k, uint64_t a, uint64_t b, uint64_t c);

/* Frees the table and empties it. */
void key_table_free(struct key_table *k);

#endif
