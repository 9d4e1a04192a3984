/* Context: O.  Texts and their numbers, each text once. */
#include "strings.h"

#include "grow.h"

#include <string.h>

uint32_t
strings_add(struct strings *s, const char *text)
{
	const uint32_t hash = finder_hash_text(text);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&s->by_text, hash, &at)) !=
	    FINDER_NONE;)
		if (strcmp(s->all[n], text) == 0)
			return n;
	if (s->count >= UINT32_MAX - 1 ||
	    grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0 ||
	    finder_add(&s->by_text, hash, (uint32_t)s->count) != 0)
		return UINT32_MAX;
	s->all[s->count] = text;
	return (uint32_t)s->count++;
}

uint32_t
strings_find(const struct strings *s, const char *text, size_t bytes)
{
	const uint32_t hash = finder_hash_bytes(text, bytes);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&s->by_text, hash, &at)) !=
	    FINDER_NONE;)
		if (strncmp(s->all[n], text, bytes) == 0 &&
		    s->all[n][bytes] == '\0')
			return n;
	return UINT32_MAX;
}

void
strings_free(struct strings *s)
{
	free(s->all);
	finder_free(&s->by_text);
	memset(s, 0, sizeof(*s));
}
