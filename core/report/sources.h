/* Context: O.  The source files that addresses are in. */
#ifndef SOURCES_H
#define SOURCES_H

#include <stddef.h>
#include <stdint.h>

struct source {
	const char *path;	/* as the compiler said */
	const char *shown;	/* its last part, where no other has that */
};

struct sources {
	struct source *all;
	size_t count, room;
	uint32_t *slots;	/* of a hash table; 0 empty, else + 1 */
	size_t slot_count;	/* a power of 2 */
};

/* Its number; each path has one, and must stay.  UINT32_MAX: no memory. */
uint32_t sources_add(struct sources *s, const char *path);

/* What is shown of each; once all are there.  0 or -ENOMEM. */
int sources_finish(struct sources *s);
void sources_free(struct sources *s);

#endif
