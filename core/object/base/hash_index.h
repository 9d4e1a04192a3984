/*
 * Context: O.  A hash index: finds the number of a thing in the caller's array
 * by the hash of the thing's key, in one or two looks.  For the tools.
 *
 * 	uint32_t n;
 * 	size_t at = hash;
 * 	while ((n = hash_index_next(&f, hash, &at)) != HASH_INDEX_NONE)
 * 		if (things[n] has that key)
 * 			return n;
 * 	hash_index_add(&f, hash, number of the new thing);
 */
#ifndef HASH_INDEX_H
#define HASH_INDEX_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Result of hash_index_next(): there is no further number. */
#define HASH_INDEX_NONE	UINT32_MAX
/* Slots of the smallest index; every number of slots is a power of 2. */
#define HASH_INDEX_MIN_SLOTS	256

/* A slot of the index. */
struct hash_index_slot {
	uint32_t hash;
	uint32_t number;	/* number + 1; 0: empty */
};

/* An index; all zero is an empty one. */
struct hash_index {
	struct hash_index_slot *slots;
	size_t room, count;	/* slots; slots in use */
};

/*
 * Random number of this process that all hashes depend on.  No output depends
 * on it.
 */
extern uint64_t hash_index_seed;

/* Returns the hash of a number, of `bytes` bytes, or of a text. */
static inline uint32_t
hash_index_hash(uint64_t key)
{
	key = (key ^ hash_index_seed) * 0x9e3779b97f4a7c15u;
	key ^= key >> 32;
	key *= 0xd6e8feb86659fd93u;
	return (uint32_t)(key >> 32);
}

static inline uint32_t
hash_index_hash_bytes(const char *at, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325u ^ hash_index_seed;	/* FNV-1a */

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)at[i]) * 0x100000001b3u;
	return (uint32_t)(h ^ h >> 32);
}

static inline uint32_t
hash_index_hash_text(const char *text)
{
	size_t bytes = 0;

	while (text[bytes] != '\0')
		bytes++;
	return hash_index_hash_bytes(text, bytes);
}

/*
 * Returns the next number with that hash, or HASH_INDEX_NONE.  *at is the
 * cursor and is the hash itself at first.
 */
static inline uint32_t
hash_index_next(const struct hash_index *f, uint32_t hash, size_t *at)
{
	if (f->room == 0)
		return HASH_INDEX_NONE;
	for (;;) {
		const struct hash_index_slot *s =
		    &f->slots[(*at)++ & (f->room - 1)];

		if (s->number == 0)
			return HASH_INDEX_NONE;
		if (s->hash == hash)
			return s->number - 1;
	}
}

/* Puts a slot into an index that has an empty one. */
static inline void
hash_index_put(struct hash_index *f, struct hash_index_slot slot)
{
	size_t at = slot.hash;

	while (f->slots[at & (f->room - 1)].number != 0)
		at++;
	f->slots[at & (f->room - 1)] = slot;
}

/*
 * Adds a number, below HASH_INDEX_NONE, with its hash; does not look whether it
 * is there.  At least half of the slots stay empty, so that a search ends soon.
 * Returns 0 or -ENOMEM.
 */
static inline int
hash_index_add(struct hash_index *f, uint32_t hash, uint32_t number)
{
	struct hash_index wider = { .count = f->count };

	if (f->count >= f->room / 2) {
		wider.room = f->room == 0 ? HASH_INDEX_MIN_SLOTS : f->room * 2;
		wider.slots = calloc(wider.room, sizeof(*wider.slots));
		if (wider.slots == NULL)
			return -ENOMEM;
		for (size_t i = 0; i < f->room; i++)
			if (f->slots[i].number != 0)
				hash_index_put(&wider, f->slots[i]);
		free(f->slots);
		*f = wider;
	}
	hash_index_put(f, (struct hash_index_slot) { hash, number + 1 });
	f->count++;
	return 0;
}

/* Frees the index and leaves it empty. */
static inline void
hash_index_free(struct hash_index *f)
{
	free(f->slots);
	*f = (struct hash_index) { 0 };
}

#endif
