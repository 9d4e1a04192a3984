/*
 * Context: O.  Gives texts numbers: each distinct text is stored once.  Used by
 * the model, views and exporters.
 */
#ifndef STRING_POOL_H
#define STRING_POOL_H

#include "base/hash_index.h"

/* The texts, by number.  All fields 0 is an empty pool. */
struct string_pool {
	const char **all;
	size_t count, room;
	struct hash_index by_text;
};

/*
 * Returns the number of a text, counting from 0.  A text that is new is not
 * copied and must outlive the pool.  Returns UINT32_MAX if memory is out.
 */
uint32_t string_pool_add(struct string_pool *s, const char *text);

/*
 * Returns the number of the text with those bytes, which must not contain NUL.
 * Returns UINT32_MAX if it is not in the pool.
 */
uint32_t string_pool_find(const struct string_pool *s, const char *at,
    size_t bytes);

/* Frees the pool, not the texts. */
void string_pool_free(struct string_pool *s);

#endif
