/*
 * Context: O.  A place for each module, as formats want them that know one
 * process: in many the same address is of several.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "model.h"
#include "program.h"

struct layout_module {
	bool used;
	uint64_t shift;		/* to an address of it: where it is here */
	uint64_t start, limit;	/* of its code here, whole pages ... */
	uint64_t offset;	/* ... and in its file */
};

/* By module.  NULL: no memory.  For free(3). */
struct layout_module *layout_make(const struct model *m, const bool *used);

/* The object that ran; false where its file is not there any more. */
bool layout_program(const struct model_module *module, struct program *p);

#endif
