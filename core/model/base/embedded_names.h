/*
 * Context: O.  Names of places that a file brings itself: prof --embed put them
 * there, or it is of another profiler.  They say what nothing at hand does.
 */
#ifndef EMBEDDED_NAMES_H
#define EMBEDDED_NAMES_H

#include "hash_index.h"
#include "lines.h"

/* Its key is the module, the process and the address. */
struct embedded_names_place {
	uint32_t module;
	uint32_t process;	/* of generated code; else MODEL_NONE */
	uint64_t address;
	uint64_t start;		/* of its function */
	const char *name;	/* as stored; NULL = not known */
	uint32_t first, count;	/* of frames: the inlined ones first */
};

/* All 0 is one that holds nothing. */
struct embedded_names {
	struct embedded_names_place *places;
	size_t count, room;
	struct lines_frame *frames;
	size_t frame_count, frame_room;
	struct hash_index by_key;
};

/*
 * place->count frames of that place; place->first does not matter.  The first
 * one of a key stays.  Texts are not copied.  0 or -ENOMEM.
 */
int embedded_names_add(struct embedded_names *g,
    const struct embedded_names_place *place, const struct lines_frame *frames);

/*
 * What of the addresses that were asked has no name or no lines yet; l may be
 * NULL.  *all: whether each has a name after it.  0 or -ENOMEM.
 */
int embedded_names_fill(const struct embedded_names *g, uint32_t module,
    uint32_t process, struct symbol *asked, size_t count, struct lines *l,
    bool *all);

void embedded_names_free(struct embedded_names *g);

#endif
