/* Context: O.  What makes two records of different files one. */
#ifndef MERGE_KEY_H
#define MERGE_KEY_H

#include <stdint.h>

/* Of a module or a process; what does not matter is 0. */
struct merge_key {
	const char *path;	/* from model_intern(), or equal bytes */
	uint32_t index;		/* no part of the key */
	uint32_t flags;
	uint64_t device;
	uint64_t inode;
	uint8_t id[32];
};

/* A copy of *key in the tree; its index is `fresh` if it was not there. */
struct merge_key *merge_key_find(void **tree, const struct merge_key *key,
    uint32_t fresh);

#endif
