/* Context: O.  Texts and their numbers, each text once. */
#ifndef STRINGS_H
#define STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings {
	const char **all;
	size_t count, room;
	uint32_t *slots;	/* of a hash table; 0 empty, else + 1 */
	size_t slot_count;	/* a power of 2 */
};

/* Its number, from 0 on; a new text must stay.  UINT32_MAX: no memory. */
uint32_t strings_add(struct strings *s, const char *text);
void strings_free(struct strings *s);

#endif
