/* Context: O.  Texts and their numbers, each text once. */
#ifndef STRINGS_H
#define STRINGS_H

#include "finder.h"

struct strings {
	const char **all;
	size_t count, room;
	struct finder by_text;
};

/* Its number, from 0 on; a new text must stay.  UINT32_MAX: no memory. */
uint32_t strings_add(struct strings *s, const char *text);

/* That of those bytes, which hold no NUL; UINT32_MAX: there is none. */
uint32_t strings_find(const struct strings *s, const char *at, size_t bytes);
void strings_free(struct strings *s);

#endif
