/*
 * Context: O.  Names and lines of places that an input file brings itself: prof
 * --embed has put them there, or the file is another profiler's or a tprof.out.
 * The readers add them; symbolize_all() uses them where objects on this machine
 * have no name.
 */
#ifndef EMBEDDED_NAMES_H
#define EMBEDDED_NAMES_H

#include "base/hash_index.h"
#include "dwarf/lines.h"

/* One place with a name.  The key is module, process and address. */
struct embedded_names_place {
	uint32_t module;
	/* process, if model_is_absolute(module); else MODEL_NONE */
	uint32_t process;
	uint64_t address;
	uint64_t start;		/* start of its function */
	/* as stored in the symbol table; NULL = not known */
	const char *name;
	/* its frames in embedded_names.frames, inlined ones first */
	uint32_t first, count;
};

/* A set of named places, model.given.  All fields 0 is an empty set. */
struct embedded_names {
	struct embedded_names_place *places;
	size_t count, room;
	struct lines_frame *frames;
	size_t frame_count, frame_room;
	struct hash_index by_key;
};

/*
 * Adds a place with its place->count frames, which are copied; frames may be
 * NULL if that is 0; place->first is ignored.  If the key is known, the names
 * that were added first stay.  Texts are not copied and must outlive *g.
 * Returns 0 or -ENOMEM.
 */
int embedded_names_add(struct embedded_names *g,
    const struct embedded_names_place *place, const struct lines_frame *frames);

/*
 * Fills in names and lines of the asked addresses that have none yet.  `asked`
 * are `count` symbols of one module and process; *l has the lines of these
 * symbols or is all 0, and the caller frees it with lines_free(); l may be
 * NULL, then no lines are filled in.  Sets *all to whether every symbol has a
 * name afterwards.  Returns 0 or -ENOMEM.
 */
int embedded_names_fill(const struct embedded_names *g, uint32_t module,
    uint32_t process, struct symbol *asked, size_t count, struct lines *l,
    bool *all);

/* Frees what *g holds and makes it an empty set. */
void embedded_names_free(struct embedded_names *g);

#endif
