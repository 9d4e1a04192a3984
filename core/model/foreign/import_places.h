/*
 * Context: O.  Places that the files of other profilers tell, into the model.
 *
 * A place that a file names is in a module of its own (FORMAT_M_NO_ELF), as its
 * addresses are no addresses of a file: where the first run had it, or just a
 * number, where there is none or two names had one address.  A function is its
 * module and its name.  A place without a name is in the file that is mapped
 * there, which names it as all else.
 */
#ifndef IMPORT_PLACES_H
#define IMPORT_PLACES_H

#include "base/model.h"
#include "base/string_pool.h"
#include "import.h"

struct import_places_key {
	uint64_t a, b, c;
};

/* Keys and their numbers, each once. */
struct import_places_keys {
	struct import_places_key *all;
	size_t count, room;
	struct hash_index by_key;
};

struct import_place {
	uint32_t module;
	uint64_t address;
	bool kernel;
};

struct import_places {
	struct model *model;
	const char *program;	/* that the user named, of any path; or NULL */
	struct string_pool texts;
	struct import_places_keys modules, functions, scopes, places, taken;
	struct import_modules_entry *module;	/* of each of those keys */
	uint64_t *start;		/* likewise of functions */
	struct import_place *place;	/* likewise of places */
	size_t module_room, start_room, place_room;
	uint64_t made;		/* the last address that was made up */
};

void import_places_init(struct import_places *t, struct model *m);
void import_places_free(struct import_places *t);

/*
 * The place of a frame and of those that are inlined in it, which come before.
 * 0 or -ENOMEM.
 */
int import_places_find(struct import_places *t,
    const struct import_frame *frames, size_t count,
    struct import_place *place);

/* One copy of it, for good; NULL: no memory. */
const char *import_places_text(struct import_places *t, struct text text);

#endif
