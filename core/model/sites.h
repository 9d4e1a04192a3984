/* Context: O.  The places in code that samples and their callers are at. */
#ifndef SITES_H
#define SITES_H

#include "finder.h"
#include "model.h"

struct site {
	uint32_t module;
	uint32_t process;	/* where addresses are its own, else MODEL_NONE */
	uint64_t address;	/* of a caller: in its call */
	uint32_t function;
	uint32_t scope, scopes;	/* as of a row */
};

struct sites {
	struct site *all;
	size_t count, room;
	uint32_t *of_row;	/* of each row of the model */
	uint32_t *of_frame;	/* of each frame */
	struct finder by_place;
};

/* After symbolise_all(); the model's rows stay as they are.  0 or -ENOMEM. */
int sites_make(struct sites *s, const struct model *m);
void sites_free(struct sites *s);

#endif
