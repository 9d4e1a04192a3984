/*
 * Context: O.  Numbers of things by the hash of their key: an array of things
 * elsewhere, each of which is found by one look or two.
 *
 *	uint32_t n;
 *	for (size_t at = hash; (n = hash_index_next(&f, hash, &at)) != HASH_INDEX_NONE;)
 *		if (things[n] has that key)
 *			return n;
 *	hash_index_add(&f, hash, number of a new one);
 */
#ifndef HASH_INDEX_H
#define HASH_INDEX_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define HASH_INDEX_NONE	UINT32_MAX
/* Slots; a power of 2, as all their numbers */
#define HASH_INDEX_MIN_SLOTS	256

struct hash_index_slot {
	uint32_t hash;
	uint32_t number;	/* + 1; 0 = empty */
};

/* All 0 is one that holds nothing. */
struct hash_index {
	struct hash_index_slot *slots;
	size_t room, count;
};

/* Of this process; nothing that is shown follows from it. */
extern uint64_t hash_index_seed;

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

/* The next number of that hash; *at is the hash itself first. */
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

static inline void
hash_index_put(struct hash_index *f, struct hash_index_slot slot)
{
	size_t at = slot.hash;

	while (f->slots[at & (f->room - 1)].number != 0)
		at++;
	f->slots[at & (f->room - 1)] = slot;
}

/* 0 or -ENOMEM.  Half of the slots are empty, so that a look ends soon. */
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

static inline void
hash_index_free(struct hash_index *f)
{
	free(f->slots);
	*f = (struct hash_index) { .slots = NULL };
}

#endif
