/*
 * Context: O.  Keys by which records of different files are recognized as one
 * module, process, image or file.  For the readers in core/model/read:
 * process_image.c, profile_modules.c and module_add.c.
 */
#ifndef MERGE_KEY_H
#define MERGE_KEY_H

#include "base/hash_index.h"

#include <stddef.h>
#include <stdint.h>

/* Key of a module, process, image or file.  Fields that do not matter are 0. */
struct merge_key {
	/* from model_intern(), or a text with equal bytes */
	const char *path;
	uint32_t index;		/* number of the element; not part of the key */
	uint32_t flags;
	uint64_t device;
	uint64_t inode;
	uint8_t id[32];
};

/* The keys of all elements of one kind.  All fields 0 is an empty table. */
struct merge_key_table {
	struct merge_key *all;
	size_t count, room;
	struct hash_index by_key;
};

/*
 * Returns the index of the element with a key.  A missing key is added as a
 * copy of *key with `fresh` as its index, so that a result of `fresh` tells the
 * caller to add the element; its path is borrowed and must outlive the table.
 * Returns UINT32_MAX if memory is out.
 */
uint32_t merge_key_find(struct merge_key_table *t, const struct merge_key *key,
    uint32_t fresh);

/* Frees the table and empties it, but not the paths of its keys. */
void merge_key_free(struct merge_key_table *t);

#endif
