/*
 * Context: O.  Recognizes by tables of keys that several files that are read
 * speak of the same module, process or process image, or that one is a copy of
 * another one.  For the readers in core/model/read: process_image.c,
 * profile_modules.c and module_add.c.
 */
#ifndef MERGE_KEY_H
#define MERGE_KEY_H

#include "base/hash_index.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The key of an element: a module, a process, a process image or a profile.
 * Fields that do not matter are 0.
 */
struct merge_key {
	/* not NULL; mostly from model_intern(): equal texts are one */
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
 * Returns the index of the element with an equal key.  If there is none, adds a
 * copy of *key with the index index_if_new, and returns that: the caller then
 * adds the element.  The path is borrowed and must outlive the table.  Returns
 * UINT32_MAX if memory is out.
 */
uint32_t merge_key_find_or_add(struct merge_key_table *t,
    const struct merge_key *key, uint32_t index_if_new);

/* Frees the table and empties it, but not the paths of its keys. */
void merge_key_free(struct merge_key_table *t);

#endif
