/*
 * Context: O.  Numbers of things by the hash of their key: an array of things
 * elsewhere, each of which is found by one look or two.
 *
 *	uint32_t n;
 *	for (size_t at = hash; (n = finder_next(&f, hash, &at)) != FINDER_NONE;)
 *		if (things[n] has that key)
 *			return n;
 *	finder_add(&f, hash, number of a new one);
 */
#ifndef FINDER_H
#define FINDER_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FINDER_NONE	UINT32_MAX
#define FINDER_LEAST	256	/* slots; a power of 2, as all their numbers */

struct finder_slot {
	uint32_t hash;
	uint32_t number;	/* + 1; 0 = empty */
};

/* All 0 is one that holds nothing. */
struct finder {
	struct finder_slot *slots;
	size_t room, count;
};

/* Of this process; nothing that is shown follows from it. */
extern uint64_t finder_seed;

static inline uint32_t
finder_hash(uint64_t key)
{
	key = (key ^ finder_seed) * 0x9e3779b97f4a7c15u;
	key ^= key >> 32;
	key *= 0xd6e8feb86659fd93u;
	return (uint32_t)(key >> 32);
}

static inline uint32_t
finder_hash_bytes(const char *at, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325u ^ finder_seed;	/* FNV-1a */

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)at[i]) * 0x100000001b3u;
	return (uint32_t)(h ^ h >> 32);
}

static inline uint32_t
finder_hash_text(const char *text)
{
	size_t bytes = 0;

	while (text[bytes] != '\0')
		bytes++;
	return finder_hash_bytes(text, bytes);
}

/* The next number of that hash; *at is the hash itself first. */
static inline uint32_t
finder_next(const struct finder *f, uint32_t hash, size_t *at)
{
	if (f->room == 0)
		return FINDER_NONE;
	for (;;) {
		const struct finder_slot *s =
		    &f->slots[(*at)++ & (f->room - 1)];

		if (s->number == 0)
			return FINDER_NONE;
		if (s->hash == hash)
			return s->number - 1;
	}
}

static inline void
finder_put(struct finder *f, struct finder_slot slot)
{
	size_t at = slot.hash;

	while (f->slots[at & (f->room - 1)].number != 0)
		at++;
	f->slots[at & (f->room - 1)] = slot;
}

/* 0 or -ENOMEM.  Half of the slots are empty, so that a look ends soon. */
static inline int
finder_add(struct finder *f, uint32_t hash, uint32_t number)
{
	struct finder wider = { .count = f->count };

	if (f->count >= f->room / 2) {
		wider.room = f->room == 0 ? FINDER_LEAST : f->room * 2;
		wider.slots = calloc(wider.room, sizeof(*wider.slots));
		if (wider.slots == NULL)
			return -ENOMEM;
		for (size_t i = 0; i < f->room; i++)
			if (f->slots[i].number != 0)
				finder_put(&wider, f->slots[i]);
		free(f->slots);
		*f = wider;
	}
	finder_put(f, (struct finder_slot) { hash, number + 1 });
	f->count++;
	return 0;
}

static inline void
finder_free(struct finder *f)
{
	free(f->slots);
	*f = (struct finder) { .slots = NULL };
}

#endif
