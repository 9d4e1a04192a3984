/* Context: O.  The source files that addresses are in. */
#include "sources.h"

#include "grow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t
hash(const char *path)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *path != '\0'; path++)
		h = (h ^ (unsigned char)*path) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static uint32_t *
place(const struct sources *s, const char *path)
{
	size_t at = hash(path) & (s->slot_count - 1);

	while (s->slots[at] != 0 &&
	    strcmp(s->all[s->slots[at] - 1].path, path) != 0)
		at = (at + 1) & (s->slot_count - 1);
	return &s->slots[at];
}

static int
widen(struct sources *s)
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
		*place(s, s->all[i].path) = (uint32_t)i + 1;
	return 0;
}

uint32_t
sources_add(struct sources *s, const char *path)
{
	uint32_t *slot;

	if (widen(s) != 0 || s->count >= UINT32_MAX - 1 ||
	    grow(&s->all, s->count, &s->room, sizeof(*s->all)) != 0)
		return UINT32_MAX;
	slot = place(s, path);
	if (*slot == 0) {
		s->all[s->count] = (struct source) { path, path };
		*slot = (uint32_t)++s->count;
	}
	return *slot - 1;
}

/* A path that ends in a slash has no last part. */
static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

static int
compare_last(const void *left, const void *right)
{
	const struct source *a = *(struct source *const *)left;
	const struct source *b = *(struct source *const *)right;

	return strcmp(last_part(a->path), last_part(b->path));
}

int
sources_finish(struct sources *s)
{
	struct source **by_last = calloc(s->count + 1, sizeof(*by_last));

	if (by_last == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++)
		by_last[i] = &s->all[i];
	if (s->count > 1)
		qsort(by_last, s->count, sizeof(*by_last), compare_last);
	for (size_t i = 0; i < s->count; i++) {
		bool alone = (i == 0 ||
		    compare_last(&by_last[i - 1], &by_last[i]) != 0) &&
		    (i + 1 == s->count ||
		    compare_last(&by_last[i], &by_last[i + 1]) != 0);

		if (alone)
			by_last[i]->shown = last_part(by_last[i]->path);
	}
	free(by_last);
	return 0;
}

void
sources_free(struct sources *s)
{
	free(s->all);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}
