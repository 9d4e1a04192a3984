/* Context: O.  Texts and their numbers, each text once. */
#ifndef STRING_POOL_H
#define STRING_POOL_H

#include "hash_index.h"

struct string_pool {
	const char **all;
	size_t count, room;
	struct hash_index by_text;
};

/* Its number, from 0 on; a new text must stay.  UINT32_MAX: no memory. */
uint32_t string_pool_add(struct string_pool *s, const char *text);

/* That of those bytes, which hold no NUL; UINT32_MAX: there is none. */
uint32_t string_pool_find(const struct string_pool *s, const char *at,
    size_t bytes);
void string_pool_free(struct string_pool *s);

#endif
