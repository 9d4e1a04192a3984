/*
 * Context: O.  Keys by which records of different files are recognized as one
 * module, process, image or file.
 */
#ifndef MERGE_KEY_H
#define MERGE_KEY_H

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

/*
 * Returns the entry of a key in a tsearch(3) tree.  A missing entry is added as
 * a copy of *key with `fresh` as its index.  The entry belongs to the tree,
 * which is to be freed with free(3).  Returns NULL if memory is out.
 */
struct merge_key *merge_key_find(void **tree, const struct merge_key *key,
    uint32_t fresh);

#endif
