/* Context: O.  One copy of each text that a library owns. */
#include "base/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct intern_text *
find_intern_slot(const struct intern *in, const char *text)
{
	size_t at = (size_t)((uintptr_t)text * 0x9e3779b97f4a7c15u >> 20) &
	    (in->slot_count - 1);

	while (in->slots[at].text != NULL && in->slots[at].text != text)
		at = (at + 1) & (in->slot_count - 1);
	return &in->slots[at];
}

static bool
grow_intern_table(struct intern *in)
{
	struct intern wider = *in;

	if (in->count < in->slot_count / 2)
		return true;
	wider.slot_count = in->slot_count == 0 ? 1024 : in->slot_count * 2;
	wider.slots = calloc(wider.slot_count, sizeof(*wider.slots));
	if (wider.slots == NULL)
		return false;
	for (size_t i = 0; i < in->slot_count; i++)
		if (in->slots[i].text != NULL)
			*find_intern_slot(&wider, in->slots[i].text) =
			    in->slots[i];
	free(in->slots);
	*in = wider;
	return true;
}

static const char *
copy_interned_text(struct intern *in, const char *directory, const char *text)
{
	char *with_slash;
	size_t bytes;

	if (directory == NULL || text[0] == '/')
		return arena_copy(in->arena, text, strlen(text));
	bytes = strlen(directory);
	with_slash = arena_join(in->arena, directory, bytes, "/");
	return with_slash == NULL ? NULL : arena_join(in->arena, with_slash,
	    bytes + 1, text);
}

const char *
intern_path(struct intern *in, const char *directory, const char *path)
{
	struct intern_text *slot;

	if (path == NULL)
		return NULL;
	if (!grow_intern_table(in)) {
		in->failed = true;
		return NULL;
	}
	slot = find_intern_slot(in, path);
	if (slot->text == NULL) {
		slot->copy = copy_interned_text(in, directory, path);
		in->failed |= slot->copy == NULL;
		slot->text = path;
		in->count++;
	}
	return slot->copy;
}

const char *
intern_text(struct intern *in, const char *text)
{
	return intern_path(in, NULL, text);
}

void
intern_free(struct intern *in)
{
	free(in->slots);
	memset(in, 0, sizeof(*in));
}
