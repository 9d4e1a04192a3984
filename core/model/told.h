/*
 * Context: O.  Places that the files of other profilers tell, into the model.
 *
 * A place that a file names is in a module of its own (FORMAT_M_NO_ELF), as its
 * addresses are no addresses of a file: where the first run had it, or just a
 * number, where there is none or two names had one address.  A function is its
 * module and its name.  A place without a name is in the file that is mapped
 * there, which names it as all else.
 */
#ifndef TOLD_H
#define TOLD_H

#include "import.h"
#include "model.h"
#include "strings.h"

struct told_key {
	uint64_t a, b, c;
};

/* Keys and their numbers, each once. */
struct told_keys {
	struct told_key *all;
	size_t count, room;
	struct finder by_key;
};

struct told_place {
	uint32_t module;
	uint64_t address;
	bool kernel;
};

struct told {
	struct model *model;
	const char *program;	/* that the user named, of any path; or NULL */
	struct strings texts;
	struct told_keys modules, functions, scopes, places, taken;
	struct told_module *module;	/* of each of those keys */
	uint64_t *start;		/* likewise of functions */
	struct told_place *place;	/* likewise of places */
	size_t module_room, start_room, place_room;
	uint64_t made;		/* the last address that was made up */
};

void told_init(struct told *t, struct model *m);
void told_free(struct told *t);

/*
 * The place of a frame and of those that are inlined in it, which come before.
 * 0 or -ENOMEM.
 */
int told_place(struct told *t, const struct import_frame *frames,
    size_t count, struct told_place *place);

/* One copy of it, for good; NULL: no memory. */
const char *told_text(struct told *t, struct text text);

#endif
