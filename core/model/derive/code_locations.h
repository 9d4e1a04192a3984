/* Context: O.  The places in code that samples and their callers are at. */
#ifndef CODE_LOCATIONS_H
#define CODE_LOCATIONS_H

#include "base/model.h"
#include "hash_index.h"

struct code_location {
	uint32_t module;
	/* where addresses are its own, else MODEL_NONE */
	uint32_t process;
	uint64_t address;	/* of a caller: in its call */
	uint32_t function;
	uint32_t scope, scopes;	/* as of a row */
};

struct code_locations {
	struct code_location *all;
	size_t count, room;
	uint32_t *of_row;	/* of each row of the model */
	uint32_t *of_frame;	/* of each frame */
	struct hash_index by_place;
};

/* After symbolize_all(); the model's rows stay as they are.  0 or -ENOMEM. */
int code_locations_make(struct code_locations *s, const struct model *m);
void code_locations_free(struct code_locations *s);

#endif
