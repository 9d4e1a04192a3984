/*
 * Context: O.  Numbers the code addresses of all rows and frames, each distinct
 * one once.  For sample_paths.c, which calls these numbers sites.
 */
#ifndef CODE_LOCATIONS_H
#define CODE_LOCATIONS_H

#include "base/model.h"
#include "base/hash_index.h"

/*
 * A place in code.  Two places are one if module, process, address and function
 * are equal; their scopes are equal then, too.
 */
struct code_location {
	uint32_t module;
	/*
	 * its process, where addresses belong to one process; else MODEL_NONE
	 */
	uint32_t process;
	/* as model_lookup_address() returns it; 0 = it has no address */
	uint64_t address;
	uint32_t function;
	uint32_t scope, scopes;	/* as in a row */
};

/* All places, by number. */
struct code_locations {
	struct code_location *all;
	size_t count, room;
	uint32_t *of_row;	/* place of each row of the model */
	uint32_t *of_frame;	/* place of each frame; [0] is none */
	struct hash_index by_place;
};

/*
 * Numbers the places of all rows and frames, after symbolize_all(); *s need not
 * be set.  Rows and frames of the model must not change while the result is
 * used.  Returns 0 or -ENOMEM; call code_locations_free() in either case.
 */
int code_locations_make(struct code_locations *s, const struct model *m);

/* Frees the places. */
void code_locations_free(struct code_locations *s);

#endif
