/* Context: O.  What makes two records of different files one. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

/* Of a module or a process; what does not matter is 0. */
struct identity {
	const char *path;	/* from model_text(), or equal bytes */
	uint32_t index;		/* no part of the key */
	uint32_t flags;
	uint64_t device;
	uint64_t inode;
	uint8_t id[32];
};

/* A copy of *key in the tree; its index is `fresh` if it was not there. */
struct identity *identity_enter(void **tree, const struct identity *key,
    uint32_t fresh);

#endif
