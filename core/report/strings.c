/* Context: O.  Texts and their numbers, each text once. */
#include "strings.h"

#include "grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t
hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static uint32_t *
place(const struct strings *s, const char *text)
{
	size_t at = hash(text) & (s->slot_count - 1);

	while (s->slots[at] != 0 &&
	    strcmp(s->all[s->slots[at] - 1], text) != 0)
		at = (at + 1) & (s->slot_count - 1);
	return &s->slots[at];
}

static int
widen(struct strings *s)
{
	const size_t slots = s->slot_count == 0 ? 64 : s->slot_count * 2;

	if (s->count < s->slot_count / 2)
		return 0;
	free(s->slots);
	s->slots = calloc(slots, sizeof(*s->slots));
	if (s->slots == NULL)
		return -ENOMEM;
	s->slot_count = slots;
	for (size_t i = 0; i < s->count; i++)
		*place(s, s->all[i]) = (uint32_t)i + 1;
	return 0;
}

uint32_t
strings_add(struct strings *s, const char *text)
{
	uint32_t *slot;

	if (widen(s) != 0 || s->count >= UINT32_MAX - 1 ||
	    grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0)
		return UINT32_MAX;
	slot = place(s, text);
	if (*slot == 0) {
		s->all[s->count] = text;
		*slot = (uint32_t)++s->count;
	}
	return *slot - 1;
}

void
strings_free(struct strings *s)
{
	free(s->all);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}
